import type { Direction } from '../market/direction.ts';
import type { Price, Quantity } from '../money/units.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { OrderEnd } from '../state/botEvents.ts';
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
import type { Turn } from '../state/turn.ts';
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
  turn: Turn,
  direction: Direction,
  { type, trigger, price, quantity, rows }: Omit<StopOrder, 'lacking'>,
): void {
  const { bot, pair, at, effects } = turn;
  const parent = createParentOrder({
    id: bot.state.nextIntent++,
    kind: 'exit',
    direction,
    reason: 'exchange_stop',
    openedAt: at,
    target: quantity,
    urgency: 'taker',
  });
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
export function cancelStop(turn: Turn, how: ParentOrderEnd): void {
  const { pair } = turn;
  if (pair.stop !== null) cancelOrder(turn, pair.stop, how);
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
export function stopTriggered(turn: Turn, stop: ParentOrder): void {
  const { bot, pair, at } = turn;
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'opposite_signal');
  closePlan(turn, 'exchange_stop');
  if (pair.position === null) return;
  for (const { table, index } of stop.rows) pair.position.fired[table] |= 1 << index;
  if (pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  setPhase(bot, pair, at, 'selling');
}

/** The order of a stop has ended. An exit that waited for it goes on. */
export function endStop(turn: Turn, stop: ParentOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
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
