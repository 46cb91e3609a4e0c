import type { Direction } from '../market/direction.ts';
import { mulDivUp, type Price, type Quantity, SCALE } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { ExitRule } from '../state/botRules.ts';
import type { PairState } from '../state/botState.ts';
import { exitOptions } from '../state/entryOptions.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import type { Reason, TriggeredLevel } from '../state/parentOrder.ts';
import { referencePrice } from '../state/quotePrices.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';
import { isArmed, stopLevel, takeProfitPrice, trailingActivationPrice, trailingStopPrice } from './levels.ts';

/** Maximum deviation of a reference price from the last price. @see docs/exits.md#reference-price */
const MAX_PRICE_DEVIATION = 0.05;

/** Returns whether a quote is recent enough to act on. @see docs/exits.md#reference-price */
export function isFresh(bot: Bot, quote: PairQuote, at: number): boolean {
  return at - quote.at <= Math.max(10_000, 2 * bot.rules.scanMs);
}

/**
 * Returns the reference price of a quote for a position of `direction`, or 0 when it must not trigger anything.
 *
 * @see docs/exits.md#reference-price
 */
export function validatedPrice(bot: Bot, quote: PairQuote, direction: Direction, at: number): Price {
  const price = referencePrice(quote, direction);
  const stale = !isFresh(bot, quote, at);
  const crossed = quote.bid > 0 && quote.ask > 0 && quote.bid > quote.ask;
  const far = quote.last > 0 && Math.abs(price - quote.last) > MAX_PRICE_DEVIATION * quote.last;
  return stale || crossed || far ? 0 : price;
}

/** Returns whether price `a` is at least as good as `b` for a position of `direction`. */
function reaches(direction: Direction, a: Price, b: Price): boolean {
  return direction === 1 ? a >= b : a <= b;
}

/**
 * Evaluates the exit tables at reference price `price`: stop_sell, then profit_win, then profit_callback. At most one acts.
 *
 * @see docs/exits.md#common-rules
 */
export function evaluateExits(turn: Turn, price: Price): void {
  const { bot, pair } = turn;
  const { position } = pair;
  if (position === null || price <= 0) return;
  if (position.peak === 0 || !reaches(position.direction, position.peak, price)) position.peak = price;
  // A table whose exit is too small to trade does not keep the next table from acting.
  if (sell(turn, 'stopSell', 'stop_sell', price, 'taker')) return;
  if (sell(turn, 'profitWin', 'profit_win', price, exitOptions(bot, pair).maker ? 'maker' : 'taker')) return;
  sell(turn, 'callback', 'profit_callback', price, 'taker');
}

function anyFires(bot: Bot, pair: PairState, table: TriggeredLevel['table'], price: Price): boolean {
  for (const row of bot.rules[table]) if (fires(bot, pair, table, row, price)) return true;
  return false;
}

/**
 * Returns whether a level that has not triggered in this position triggers at `price`.
 *
 * @see docs/exits.md#common-rules, docs/exits.md#stop-loss, docs/exits.md#take-profit, docs/exits.md#trailing-take-profit
 */
function fires(bot: Bot, pair: PairState, table: TriggeredLevel['table'], row: ExitRule, price: Price): boolean {
  const { position, holding } = pair;
  if (position === null || (position.fired[table] & row.bit) !== 0) return false;
  const { direction, peak } = position;
  const { entryPrice, leverage } = holding;
  if (table === 'stopSell') return reaches(direction, stopLevel(entryPrice, direction, row), price);
  if (table === 'profitWin') return reaches(direction, price, takeProfitPrice(entryPrice, direction, leverage, row));
  const armed = isArmed(
    direction,
    peak,
    trailingActivationPrice(entryPrice, direction, leverage, bot.rules.callbackStart),
  );
  return armed && reaches(direction, trailingStopPrice(entryPrice, direction, peak, row), price);
}

/**
 * Exits for all levels that trigger together, as one order; each level sells its share of what the ones before it left.
 *
 * @returns whether the table acts
 * @see docs/exits.md#common-rules
 */
function sell(
  turn: Turn,
  table: TriggeredLevel['table'],
  reason: Reason,
  price: Price,
  urgency: 'maker' | 'taker',
): boolean {
  const { bot, pair } = turn;
  if (!anyFires(bot, pair, table, price)) return false;
  const rows = bot.rules[table].filter((row) => fires(bot, pair, table, row, price));
  const kept = remainingAfter(rows, pair.holding.quantity);
  const wanted = pair.holding.quantity - kept;
  const fired = rows.map(({ index }) => ({ table, index }));
  return beginExit(turn, { reason, wanted, price, urgency, rows: fired }) !== null;
}

/**
 * Returns the remainder of `held` after several levels, each of which sells its share of what the ones before it left:
 * `held · Π(1 − stop)`, rounded up once at the end.
 *
 * @see docs/exits.md#common-rules
 */
export function remainingAfter(rows: readonly ExitRule[], held: Quantity): Quantity {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return mulDivUp(held, SCALE - only.stop, SCALE);
  let [kept, whole] = [BigInt(held), 1n];
  for (const { stop } of rows) {
    kept *= BigInt(SCALE - stop);
    whole *= BigInt(SCALE);
  }
  return Number((kept + whole - 1n) / whole);
}
