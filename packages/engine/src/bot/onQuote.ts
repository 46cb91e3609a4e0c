import { followStopEntry } from '../entry/manualEntry.ts';
import { closePosition } from '../exits/closing.ts';
import { evaluateExits, followPeak, isFresh, validatedPrice } from '../exits/evaluate.ts';
import { guardLiquidation } from '../exits/guard.ts';
import type { Price } from '../money/units.ts';
import { startPlanAtQuote } from '../plan/beginPlan.ts';
import { reconcilePlanOrders } from '../plan/reconcilePlanOrders.ts';
import { trailPlan } from '../plan/trailPlan.ts';
import { followBenchmark } from '../state/benchmark.ts';
import { isTrading } from '../state/botStatus.ts';
import { isWaiting } from '../state/exitSignal.ts';
import { isBusy } from '../state/pairActivity.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import { waitsForPrice } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';
import { exitLate } from './exitBySignal.ts';
import { beginWork } from './lifecycle.ts';

/**
 * Stores the newest quote of a pair and evaluates it at once, or `poll_scan_time` after the last evaluation.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function onQuote(turn: Turn, quote: PairQuote): void {
  const { bot, pair } = turn;
  if (pair.market === null) return;
  pair.quote = quote;
  const price = quote.mark || quote.last || quote.bid;
  if (price > 0) pair.mark = price;
  if (bot.state.benchmark !== null) followBenchmark(bot.state, pair);
  if (bot.state.status === 'ready') beginWork(turn);
  if (bot.planRules !== null && pair.orderPlan === null) startPlanAtQuote(turn);
  if (pair.dirtyOrders !== '') reconcilePlanOrders(turn);
  if (isWaiting(pair.exitSignal)) exitLate(turn);
  const due = pair.scannedAt + bot.rules.scanMs;
  if (quote.at >= due) scanPair(turn);
  else if (pair.scanDueAt === 0) pair.scanDueAt = due;
}

/** Evaluates the exit tables of a pair on its newest quote. @see docs/bot-lifecycle.md#events-and-timers */
export function scanPair(turn: Turn): void {
  const { bot, pair, at } = turn;
  pair.scannedAt = at;
  pair.scanDueAt = 0;
  const { quote, position } = pair;
  // Whatever opens later is not what the kill switch was to close.
  if (pair.closing === true && bot.state.status === 'working' && !isBusy(pair)) delete pair.closing;
  if (pair.entry !== null && waitsForPrice(pair.entry)) followStopEntry(turn, pair.entry);
  if (quote === null || position === null || !isTrading(bot)) return;
  const mark = isFresh(bot, quote, at) ? pair.mark : 0;
  testExits(turn, validatedPrice(bot, quote, position.direction, at), mark);
}

/**
 * Evaluates the liquidation guard, then the exit tables; at most one acts. A position that is being closed needs no table.
 *
 * @param price reference price, 0 when it must not trigger anything; @param mark mark price, likewise
 * @see docs/exits.md#common-rules
 */
export function testExits(turn: Turn, price: Price, mark: Price): void {
  if (guardLiquidation(turn, mark)) return;
  const { closing, position } = turn.pair;
  if (closing === true) {
    if (position !== null && price > 0) followPeak(position, price);
    closePosition(turn);
    return;
  }
  evaluateExits(turn, price);
  if (turn.pair.orderPlan !== null) trailPlan(turn, price);
}
