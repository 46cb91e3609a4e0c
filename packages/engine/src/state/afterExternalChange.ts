import type { Price } from '../money/units.ts';
import type { Bot } from './bot.ts';
import type { PairState } from './botState.ts';
import { closeIfDust } from './closePosition.ts';
import { setPhase, showFlat } from './pairPhase.ts';
import { belongsToPosition } from './parentOrder.ts';

/**
 * Adjusts position and phase of a pair to a holding that changed without a working parent order.
 *
 * @param price price that values the remainder
 * @see docs/bot-lifecycle.md#pair-phases
 */
export function afterExternalChange(bot: Bot, pair: PairState, price: Price, at: number): void {
  if (pair.exit !== null || (pair.entry !== null && belongsToPosition(pair.entry))) return;
  const wasOpen = pair.position !== null;
  if (closeIfDust(bot, pair, price, at)) {
    if (wasOpen && pair.phase !== 'idle' && pair.phase !== 'sold') showFlat(bot, pair, at);
    if (wasOpen && pair.entry !== null) setPhase(bot, pair, at, 'buying');
  } else if (pair.phase === 'idle' || pair.phase === 'sold') {
    setPhase(bot, pair, at, 'buying');
    setPhase(bot, pair, at, 'bought');
  } else if (pair.position?.sold === true) {
    setPhase(bot, pair, at, 'partSell');
  }
}
