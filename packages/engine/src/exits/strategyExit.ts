import type { Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { refuse } from '../entry/refuse.ts';
import { formatUnits, mulDiv, SCALE, shiftPriceBy } from '../money/units.ts';
import { referencePrice } from '../orders/prices.ts';
import { beginExit } from './exit.ts';

/**
 * Exit asked for by the strategy: `sell_pct` of the position, held back while it would realise a greater loss than
 * `max_sell_loss_pct`; then it stays pending until the next candle.
 *
 * @see options.md 4.3 sell_pct, 4.5 max_sell_loss_pct
 */
export function strategyExit(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  const { rules } = bot;
  if (pair.position === null || pair.quote === null) return;
  // A table's exit that works takes the strategy's quantity over; one of its own is under way already.
  if (pair.exit !== null && pair.exit.reason === 'signal') return;
  if (rules.sellShare === 0) {
    refuse(bot, pair, at, { gate: 'disabled', inputs: { sell_pct: 0 } });
    return;
  }
  const price = referencePrice(pair.quote);
  const entry = pair.holding.entryPrice;
  const least = shiftPriceBy(entry, -rules.maxSellLoss, 'up');
  if (rules.maxSellLoss > 0 && price < least) {
    pair.pendingExit = true;
    refuse(bot, pair, at, {
      gate: 'sell_loss',
      inputs: { price: formatUnits(price), entry: formatUnits(entry), least: formatUnits(least) },
    });
    return;
  }
  pair.pendingExit = false;
  const wanted = mulDiv(pair.holding.quantity, rules.sellShare, SCALE, 'down');
  beginExit(bot, pair, 'signal', wanted, price, rules.maker ? 'maker' : 'taker', [], at, effects);
}
