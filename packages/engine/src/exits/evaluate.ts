import { type ExitLevel, type ExitRule, isActive } from '../exitRules/exitRule.ts';
import type { ExitTable } from '../exitRules/exitTables.ts';
import { type Direction, isAsGoodAs } from '../market/direction.ts';
import { mulDivUp, type Price, type Quantity, SCALE } from '../money/units.ts';
import { makeUrgent } from '../orders/loop.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState, Position } from '../state/botState.ts';
import { exitOptions } from '../state/entryOptions.ts';
import { dropReversal } from '../state/exitSignal.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import type { ParentOrder } from '../state/parentOrder.ts';
import { reachesStopLoss, reachesTakeProfit } from '../state/priceExit.ts';
import { referencePrice } from '../state/quotePrices.ts';
import type { Turn } from '../state/turn.ts';
import { beginExit } from './exit.ts';

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

/**
 * Evaluates the price exits at reference price `price`, then the exit tables in the order of {@link EXIT_RULES}. At most one acts.
 *
 * @see docs/exits.md#common-rules
 */
export function evaluateExits(turn: Turn, price: Price): void {
  const { bot, pair } = turn;
  if (pair.position === null || price <= 0) return;
  followPeak(pair.position, price);
  if (pair.exit?.priceExits !== undefined) stopWorkingTarget(turn, pair.exit, pair.position.direction, price);
  if (pair.position.priceExits !== undefined && exitByPrice(turn, pair.position, price)) return;
  // A table whose exit is too small to trade does not keep the next table from acting.
  for (const table of bot.rules.exitTables) if (exitByTable(turn, table, price)) return;
}

/** Records the best reference price of a position. */
export function followPeak(position: Position, price: Price): void {
  if (position.peak === 0 || !isAsGoodAs(position.direction, position.peak, price)) position.peak = price;
}

/** Returns whether a level that has not triggered in this position triggers at `price`. @see docs/exits.md#common-rules */
function triggers({ position, holding }: PairState, rule: ExitRule, level: ExitLevel, price: Price): boolean {
  if (position === null || (position.fired[rule.table] & level.bit) !== 0) return false;
  if (!isActive(holding, position, level)) return false;
  const trigger = rule.priceOf(holding, position, level);
  return rule.inFavour
    ? isAsGoodAs(position.direction, price, trigger)
    : isAsGoodAs(position.direction, trigger, price);
}

/**
 * Exits for all levels of a table that trigger together, as one order; each level exits its share of what the ones before it left.
 *
 * @returns whether the table acts
 * @see docs/exits.md#common-rules
 */
function exitByTable(turn: Turn, { rule, levels }: ExitTable, price: Price): boolean {
  const { bot, pair } = turn;
  const triggered = triggeredLevels(pair, rule, levels, price);
  if (triggered === null) return false;
  const { quantity } = pair.holding;
  const wanted = quantity - remainingAfter(triggered, quantity);
  const rows = triggered.map(({ index }) => ({ table: rule.table, index }));
  const urgency = rule.inFavour && exitOptions(bot, pair).maker ? 'maker' : 'taker';
  return beginExit(turn, { reason: rule.option, wanted, price, urgency, rows }) !== null;
}

/**
 * Exits for all price exits that trigger together, as one order: those whose stop-loss is reached, else those whose take-profit is.
 *
 * @returns whether one acts
 * @see docs/exits.md#price-exits
 */
function exitByPrice(turn: Turn, { direction, priceExits = [] }: Position, price: Price): boolean {
  const { bot, pair } = turn;
  const stopped = priceExits.filter((exit) => reachesStopLoss(exit, direction, price));
  const isStop = stopped.length > 0;
  const triggered = isStop ? stopped : priceExits.filter((exit) => reachesTakeProfit(exit, direction, price));
  if (triggered.length === 0) return false;
  const { quantity } = pair.holding;
  const wanted = quantity - remainingAfter(triggered, quantity);
  const reason = isStop ? 'price_stop' : 'price_target';
  const urgency = !isStop && exitOptions(bot, pair).maker ? 'maker' : 'taker';
  return beginExit(turn, { reason, wanted, price, urgency, priceExits: triggered }) !== null;
}

/** Makes a working exit urgent whose take-profit was reached, once the stop-loss of the same price exit is reached as well. */
function stopWorkingTarget(turn: Turn, exit: ParentOrder, direction: Direction, price: Price): void {
  if (exit.urgency === 'taker' || !exit.priceExits?.some((each) => reachesStopLoss(each, direction, price))) return;
  exit.reason = 'price_stop';
  turn.pair.exitSignal = dropReversal(turn.pair.exitSignal);
  makeUrgent(turn, exit);
}

/** Returns the levels that trigger at `price`, or null. It allocates nothing then, because each quote calls it. */
function triggeredLevels(
  pair: PairState,
  rule: ExitRule,
  levels: readonly ExitLevel[],
  price: Price,
): ExitLevel[] | null {
  for (const level of levels) {
    if (triggers(pair, rule, level, price)) return levels.filter((other) => triggers(pair, rule, other, price));
  }
  return null;
}

/**
 * Returns the remainder of `held` after several levels, each of which sells its share of what the ones before it left:
 * `held · Π(1 − share)`, rounded up once at the end.
 *
 * @see docs/exits.md#common-rules
 */
export function remainingAfter(levels: readonly Pick<ExitLevel, 'share'>[], held: Quantity): Quantity {
  const [only] = levels;
  if (only !== undefined && levels.length === 1) return mulDivUp(held, SCALE - only.share, SCALE);
  let [remaining, divisor] = [BigInt(held), 1n];
  for (const { share } of levels) {
    remaining *= BigInt(SCALE - share);
    divisor *= BigInt(SCALE);
  }
  return Number((remaining + divisor - 1n) / divisor);
}
