import type { Direction } from '../market/direction.ts';
import type { Price, Quantity } from '../money/units.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect, OrderEnd } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { setPhase } from '../state/pairPhase.ts';
import {
  createParentOrder,
  type ParentOrder,
  type ParentOrderEnd,
  type Trigger,
  type TriggeredLevel,
} from '../state/parentOrder.ts';
import { cancelOrder } from './cancelOrder.ts';
import { closePlan } from './closePlan.ts';
import { endParentOrder } from './finishParentOrder.ts';

/** A stop as it should rest at the exchange. */
export interface StopOrder {
  readonly type: 'stop_market' | 'stop_limit';
  readonly trigger: Trigger;
  /** Worst price of a `stop_limit`; 0 at market. */
  readonly price: Price;
  readonly quantity: Quantity;
  /** Rows of stop_sell that it stands for: they have fired when it has. None of them while it is only for a part. */
  readonly rows: TriggeredLevel[];
  /** What should be protected beside it and is not, since the exchange takes no larger order: the bot sells it itself. */
  readonly lacking: Quantity;
}

/** Sends a stop to the exchange; the pair has none. */
export function beginStop(
  bot: Bot,
  pair: PairState,
  direction: Direction,
  { type, trigger, price, quantity, rows }: Omit<StopOrder, 'lacking'>,
  at: number,
  effects: Effect[],
): void {
  const parent = createParentOrder(bot.state.nextIntent++, 'exit', direction, 'exchange_stop', at, quantity, 'taker');
  parent.unguarded = true;
  parent.rows = rows;
  parent.firstPrice = trigger.price;
  parent.orders = 1;
  const order = {
    n: 1,
    type,
    price,
    trigger,
    quantity,
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  } as const;
  parent.order = { ...order, fillIds: [] };
  pair.stop = parent;
  bot.observer.parentOrder(at, pair, parent);
  bot.observer.order(at, pair, parent, parent.order, 'placing');
  effects.push({ type: 'place', pair, parent, order: parent.order });
}

/** Takes the stop of a pair back; it is over once the exchange has confirmed. */
export function cancelStop(bot: Bot, pair: PairState, how: ParentOrderEnd, at: number, effects: Effect[]): void {
  if (pair.stop !== null) cancelOrder(bot, pair, pair.stop, how, at, effects);
}

/** What the stop of a pair may still sell: nobody else may. */
export function quantityOfStop({ stop }: PairState): Quantity {
  return stop === null || stop.order === null ? 0 : stop.order.quantity - stop.order.filled;
}

/**
 * The first fill of a stop: the exchange has begun to leave the position, which ends what works on it.
 *
 * @see docs/exits.md#protective-stop
 */
export function stopTriggered(bot: Bot, pair: PairState, stop: ParentOrder, at: number, effects: Effect[]): void {
  if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'opposite_signal', at, effects);
  closePlan(bot, pair, 'exchange_stop', at, effects);
  if (pair.position === null) return;
  for (const { table, index } of stop.rows) pair.position.fired[table] |= 1 << index;
  if (pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  setPhase(bot, pair, at, 'selling');
}

/** The order of a stop has ended. An exit that waited for it goes on. */
export function endStop(bot: Bot, pair: PairState, stop: ParentOrder, how: OrderEnd, at: number): void {
  pair.stop = null;
  bot.observer.parentOrderEnd(at, pair, stop, endOf(stop, how));
  const { exit } = pair;
  if (exit !== null && exit.order === null && exit.dueAt === 0) exit.dueAt = at;
  if (stop.filled > 0) afterExternalChange(bot, pair, knownPrice(pair, stop.direction) || stop.firstPrice, at);
}

function endOf({ filled, target, afterCancel }: ParentOrder, how: OrderEnd): ParentOrderEnd {
  if (filled >= target) return 'filled';
  if (afterCancel !== null && afterCancel !== 'reprice' && afterCancel !== 'taker') return afterCancel;
  return how === 'rejected' || how === 'post_only_rejected' ? 'rejected' : 'unfilled';
}
