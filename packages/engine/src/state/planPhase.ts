import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { setPhase } from './pairPhase.ts';

/**
 * Updates the phase of a pair with a plan: `buying` with orders and no position, `bought` with a position, `partSell` once a
 * part was sold. It passes only through allowed transitions.
 *
 * @see docs/bot-lifecycle.md#pair-phases
 */
export function updatePlanPhase(bot: Bot, pair: PairState, at: number): void {
  // A working exit sets the phase itself.
  if (pair.exit !== null) return;
  if (pair.position === null) updateFlatPhase(bot, pair, at);
  else updateHeldPhase(bot, pair, at, pair.position.sold);
}

function updateFlatPhase(bot: Bot, pair: PairState, at: number): void {
  if (pair.phase === 'bought' || pair.phase === 'partSell') setPhase(bot, pair, at, 'selling');
  if (pair.phase === 'selling') setPhase(bot, pair, at, 'sold');
  // The orders of an ended plan are being cancelled.
  const works = pair.entry !== null || (pair.orderPlan !== null && pair.planOrders.length > 0);
  if (works && (pair.phase === 'idle' || pair.phase === 'sold')) setPhase(bot, pair, at, 'buying');
  else if (!works && pair.phase === 'buying') setPhase(bot, pair, at, 'idle');
}

function updateHeldPhase(bot: Bot, pair: PairState, at: number, sold: boolean): void {
  if (pair.phase === 'idle' || pair.phase === 'sold') setPhase(bot, pair, at, 'buying');
  // While the base order works, the order loop sets the phase.
  if (pair.phase === 'buying' && pair.entry === null) setPhase(bot, pair, at, 'bought');
  if (pair.phase === 'bought' && sold) {
    setPhase(bot, pair, at, 'selling');
    setPhase(bot, pair, at, 'partSell');
  }
}
