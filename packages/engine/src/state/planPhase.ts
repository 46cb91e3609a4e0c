import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { setPhase } from './pairPhase.ts';

/**
 * Shows the phase of a pair whose ladder has changed: it buys while it has orders and holds nothing, has bought once it
 * holds, has sold in part once it sold some. Goes by the transitions that there are.
 *
 * @see docs/bot-lifecycle.md#pair-phases
 */
export function updatePlanPhase(bot: Bot, pair: PairState, at: number): void {
  // An exit shows by itself.
  if (pair.exit !== null) return;
  if (pair.position === null) {
    if (pair.phase === 'bought' || pair.phase === 'partSell') setPhase(bot, pair, at, 'selling');
    if (pair.phase === 'selling') setPhase(bot, pair, at, 'sold');
    const works = pair.entry !== null || pair.rungs.length > 0;
    if (works && (pair.phase === 'idle' || pair.phase === 'sold')) setPhase(bot, pair, at, 'buying');
    else if (!works && pair.phase === 'buying') setPhase(bot, pair, at, 'idle');
    return;
  }
  if (pair.phase === 'idle' || pair.phase === 'sold') setPhase(bot, pair, at, 'buying');
  // The order loop tells when the order that a ladder begins with has ended.
  if (pair.phase === 'buying' && pair.entry === null) setPhase(bot, pair, at, 'bought');
  if (pair.phase === 'bought' && pair.position.sold) {
    setPhase(bot, pair, at, 'selling');
    setPhase(bot, pair, at, 'partSell');
  }
}
