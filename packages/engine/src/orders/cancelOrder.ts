import type { Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import type { ParentOrder } from './parentOrder.ts';

/** Sends the cancel of an open order, once, and keeps what its intent does afterwards. */
export function cancelOrder(
  bot: Bot,
  pair: PairState,
  parent: ParentOrder,
  after: NonNullable<ParentOrder['afterCancel']>,
  at: number,
  effects: Effect[],
): void {
  const order = parent.order;
  if (order === null) return;
  parent.afterCancel = after;
  parent.dueAt = 0;
  if (order.status === 'cancelling') return;
  order.status = 'cancelling';
  bot.observer.order(at, pair, parent, order, 'cancelling');
  effects.push({ type: 'cancel', pair, parent, order });
}
