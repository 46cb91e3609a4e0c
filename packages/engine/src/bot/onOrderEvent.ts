import { applyOrderEvent } from '../orders/loop.ts';
import { reconcilePlanOrders } from '../plan/reconcilePlanOrders.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect, OrderEvent } from '../state/botEvents.ts';
import { isWaiting, reversesTo } from '../state/exitSignal.ts';
import { createTurn, type Turn } from '../state/turn.ts';
import { enterReversed, exitLate } from './exitBySignal.ts';
import { finishIfDone } from './lifecycle.ts';

/** Books an order event of the exchange and acts on it. */
export function onOrderEvent(bot: Bot, event: OrderEvent, effects: Effect[]): void {
  const pair = applyOrderEvent(bot, event, effects);
  if (pair !== null) afterOrderEvent(createTurn(bot, pair, event.at, effects));
}

/** Acts on a booked order event: exits that waited for it, the entry of a reversal, the end of a bot that is stopping. */
export function afterOrderEvent(turn: Turn): void {
  const { bot, pair, at } = turn;
  if (isWaiting(pair.exitSignal)) exitLate(turn);
  if (reversesTo(pair.exitSignal) !== 0) enterReversed(turn);
  if (pair.dirtyOrders !== '') reconcilePlanOrders(turn);
  finishIfDone(bot, at);
}
