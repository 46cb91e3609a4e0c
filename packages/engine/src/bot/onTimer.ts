import { driveParentOrder } from '../orders/loop.ts';
import { drivePlanOrder } from '../orders/planOrderLoop.ts';
import { reconcilePlanOrders } from '../plan/reconcilePlanOrders.ts';
import type { Bot } from '../state/bot.ts';
import { reversesTo } from '../state/exitSignal.ts';
import { type BotTurn, turnOf } from '../state/turn.ts';
import { enterReversed } from './exitBySignal.ts';
import { drain, finishIfDone } from './lifecycle.ts';
import { scanPair } from './onQuote.ts';

/**
 * Does everything that is due: evaluations of quotes, order loops, the end of `run_for`.
 *
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function onTimer(botTurn: BotTurn): void {
  const { bot, at } = botTurn;
  for (const pair of bot.state.pairs) {
    const turn = turnOf(botTurn, pair);
    if (pair.scanDueAt > 0 && at >= pair.scanDueAt) scanPair(turn);
    if (pair.entry !== null) driveParentOrder(turn, pair.entry);
    if (pair.exit !== null) driveParentOrder(turn, pair.exit);
    if (reversesTo(pair.exitSignal) !== 0) enterReversed(turn);
    if (pair.planOrders.length > 0) for (const parent of [...pair.planOrders]) drivePlanOrder(turn, parent);
    if (pair.dirtyOrders !== '') reconcilePlanOrders(turn);
  }
  if (bot.state.endsAt > 0 && at >= bot.state.endsAt && bot.state.status === 'working') drain(botTurn);
  finishIfDone(bot, at);
}

/** Returns when {@link onTimer} has something to do; 0 for never. */
export function nextDue({ state }: Bot): number {
  let due = state.status === 'working' ? state.endsAt : 0;
  for (const { scanDueAt, entry, exit, planOrders } of state.pairs) {
    due = earlier(due, scanDueAt);
    if (entry !== null) due = earlier(due, entry.dueAt);
    if (exit !== null) due = earlier(due, exit.dueAt);
    if (planOrders.length > 0) for (const { dueAt } of planOrders) due = earlier(due, dueAt);
  }
  return due;
}

/** Returns the earlier of two times; 0 is never. */
function earlier(a: number, b: number): number {
  return b > 0 && (a === 0 || b < a) ? b : a;
}
