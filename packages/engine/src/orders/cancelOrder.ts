import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { ParentOrder } from '../state/parentOrder.ts';

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
