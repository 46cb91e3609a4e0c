import { isArmed, trailingActivationPrice } from '../exits/levels.ts';
import type { Price } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';

/**
 * Returns the peak of an activated trailing take-profit, of the exit table or of a DCA deal; 0 for none.
 *
 * @see docs/exits.md#common-rules
 */
export function armedPeak(bot: Bot, index: number): Price {
  const pair = bot.state.pairs[index];
  if (pair?.ladder?.kind === 'dca') return pair.ladder.armed ? pair.ladder.best : 0;
  if (!pair?.position || pair.market === null || bot.rules.callback.length === 0) return 0;
  const { peak, direction } = pair.position;
  const arm = trailingActivationPrice(
    pair.holding.entryPrice,
    direction,
    pair.holding.leverage,
    bot.rules.callbackStart,
  );
  return isArmed(direction, peak, arm) ? peak : 0;
}
