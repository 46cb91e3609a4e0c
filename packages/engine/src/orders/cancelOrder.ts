import type { ParentOrder } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';

/** Cancels an open order, once, and stores what its parent order does afterwards. */
export function cancelOrder(turn: Turn, parent: ParentOrder, after: NonNullable<ParentOrder['afterCancel']>): void {
  const { bot, pair, at, effects } = turn;
  const order = parent.order;
  if (order === null) return;
  parent.afterCancel = after;
  parent.dueAt = 0;
  if (order.status === 'cancelling') return;
  order.status = 'cancelling';
  bot.observer.order(at, pair, parent, order, 'cancelling');
  effects.push({ type: 'cancel', pair, parent, order });
}
