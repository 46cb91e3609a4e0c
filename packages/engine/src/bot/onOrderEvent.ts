import { applyOrderEvent } from '../orders/loop.ts';
import { reconcilePlanOrders } from '../plan/reconcilePlanOrders.ts';
import type { OrderEvent } from '../state/botEvents.ts';
import { isWaiting, reversesTo } from '../state/exitSignal.ts';
import type { BotTurn, Turn } from '../state/turn.ts';
import { enterReversed, exitLate } from './exitBySignal.ts';
import { finishIfDone } from './lifecycle.ts';

/** Books an order event of the exchange and acts on it. */
export function onOrderEvent(botTurn: BotTurn, event: OrderEvent): void {
  const turn = applyOrderEvent(botTurn, event);
  if (turn !== null) afterOrderEvent(turn);
}

/** Acts on a booked order event: exits that waited for it, the entry of a reversal, the end of a bot that is stopping. */
export function afterOrderEvent(turn: Turn): void {
  const { bot, pair, at } = turn;
  if (isWaiting(pair.exitSignal)) exitLate(turn);
  if (reversesTo(pair.exitSignal) !== 0) enterReversed(turn);
  if (pair.dirtyOrders !== '') reconcilePlanOrders(turn);
  finishIfDone(bot, at);
}
