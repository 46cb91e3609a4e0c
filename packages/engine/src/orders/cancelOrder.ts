import type { Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import type { Intent } from './intent.ts';

/** Sends the cancel of an open order, once, and keeps what its intent does afterwards. */
export function cancelOrder(
  bot: Bot,
  pair: PairState,
  intent: Intent,
  after: NonNullable<Intent['afterCancel']>,
  at: number,
  effects: Effect[],
): void {
  const order = intent.order;
  if (order === null) return;
  intent.afterCancel = after;
  intent.dueAt = 0;
  if (order.status === 'cancelling') return;
  order.status = 'cancelling';
  bot.witness.order(at, pair, intent, order, 'cancelling');
  effects.push({ type: 'cancel', pair, intent, order });
}
