import type { Effect, PairQuote } from '../bot/event.ts';
import type { RuleRow } from '../bot/rules.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import { mulDiv, type Price, SCALE } from '../money/units.ts';
import type { FiredRow, Reason } from '../orders/intent.ts';
import { referencePrice } from '../orders/prices.ts';
import { beginExit } from './exit.ts';
import { armLevel, callbackLine, stopLevel, winLevel } from './levels.ts';

/** A reference price further than this from the last price is not believed. @see options.md 6.1 */
const BELIEVED = 0.05;

/** The reference price of a quote, or 0 when it must not trigger anything. @see options.md 6.1 */
export function believedPrice(bot: Bot, quote: PairQuote, at: number): Price {
  const price = referencePrice(quote);
  const stale = at - quote.at > Math.max(10_000, 2 * bot.rules.scanMs);
  const crossed = quote.bid > 0 && quote.ask > 0 && quote.bid > quote.ask;
  const far = quote.last > 0 && Math.abs(price - quote.last) > BELIEVED * quote.last;
  return stale || crossed || far ? 0 : price;
}

/**
 * Tests the exit tables at reference price `price`: stop_sell, then profit_win, then profit_callback; at most one of
 * them acts.
 *
 * @see options.md 6
 */
export function evaluateExits(bot: Bot, pair: PairState, price: Price, at: number, effects: Effect[]): void {
  const { position } = pair;
  if (position === null || price <= 0) return;
  if (price > position.peak) position.peak = price;
  const entry = pair.holding.entryPrice;
  const { rules } = bot;
  const stops = crossed(rules.stopSell, position.fired.stopSell, (row) => price <= stopLevel(entry, row));
  if (stops.length > 0) {
    sell(bot, pair, 'stopSell', 'stop_sell', stops, price, 'taker', at, effects);
    return;
  }
  const wins = crossed(rules.profitWin, position.fired.profitWin, (row) => price >= winLevel(entry, row));
  if (wins.length > 0) {
    sell(bot, pair, 'profitWin', 'profit_win', wins, price, rules.maker ? 'maker' : 'taker', at, effects);
    return;
  }
  if (position.peak < armLevel(entry, rules.callbackStart)) return;
  const lines = crossed(
    rules.callback,
    position.fired.callback,
    (row) => price <= callbackLine(entry, position.peak, row),
  );
  if (lines.length > 0) sell(bot, pair, 'callback', 'profit_callback', lines, price, 'taker', at, effects);
}

function crossed(table: readonly RuleRow[], fired: readonly number[], test: (row: RuleRow) => boolean): RuleRow[] {
  return table.filter((row) => !fired.includes(row.index) && test(row));
}

/** Rows crossed together sell one after another of what is then held, as one order. @see options.md 6 (2) */
function sell(
  bot: Bot,
  pair: PairState,
  table: FiredRow['table'],
  reason: Reason,
  rows: RuleRow[],
  price: Price,
  urgency: 'maker' | 'taker',
  at: number,
  effects: Effect[],
): void {
  let kept = pair.holding.quantity;
  for (const row of rows) kept = mulDiv(kept, SCALE - row.stop, SCALE, 'up');
  const fired = rows.map(({ index }) => ({ table, index }));
  beginExit(bot, pair, reason, pair.holding.quantity - kept, price, urgency, fired, at, effects);
}
