import type { Direction } from '../market/direction.ts';
import type { Price, Quantity } from '../money/units.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { knownPrice } from '../state/knownPrice.ts';
import { recordOrder, recordOrderEnd } from '../state/lastOrder.ts';
import { setPhase } from '../state/pairPhase.ts';
import {
  createParentOrder,
  type ParentOrder,
  type ParentOrderEnd,
  type Trigger,
  type TriggeredLevel,
} from '../state/parentOrder.ts';
import { type PriceExit, putPriceExits, removePriceExits } from '../state/priceExit.ts';
import type { Turn } from '../state/turn.ts';
import { cancelOrder } from './cancelOrder.ts';
import { closePlan } from './closePlan.ts';
import { endParentOrder } from './finishParentOrder.ts';

/** A protective stop as it should be open at the exchange. */
export interface StopOrder {
  readonly type: 'stop_market' | 'stop_limit';
  readonly trigger: Trigger;
  /** Worst price of a `stop_limit`; 0 at market. */
  readonly price: Price;
  readonly quantity: Quantity;
  /** Levels of stop_sell that count as triggered with the stop; none while it protects only a part. */
  readonly rows: TriggeredLevel[];
  /** Price exits that count as triggered with the stop, like `rows`. */
  readonly priceExits: readonly PriceExit[];
  /** Quantity beyond the maximum order size, which the bot must sell itself. */
  readonly lacking: Quantity;
}

/** Places a protective stop for a pair that has none. */
export function beginStop(
  turn: Turn,
  direction: Direction,
  { type, trigger, price, quantity, rows, priceExits }: Omit<StopOrder, 'lacking'>,
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
  setStopLevels(parent, { rows, priceExits });
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

/** Stores which levels count as triggered with a protective stop. */
export function setStopLevels(stop: ParentOrder, { rows, priceExits }: Pick<StopOrder, 'rows' | 'priceExits'>): void {
  stop.rows = rows;
  if (priceExits.length > 0) stop.priceExits = priceExits;
  else delete stop.priceExits;
}

/** Cancels the protective stop of a pair; it ends once the exchange confirms. */
export function cancelStop(turn: Turn, how: ParentOrderEnd): void {
  const { pair } = turn;
  if (pair.stop !== null) cancelOrder(turn, pair.stop, how);
}

/** Returns the quantity that the protective stop may still fill; no other order may use it. */
export function quantityOfStop({ stop }: PairState): Quantity {
  return stop === null || stop.order === null ? 0 : stop.order.quantity - stop.order.filled;
}

/**
 * Ends entries and the plan of a pair at the first fill of its protective stop.
 *
 * @see docs/exits.md#protective-stop
 */
export function stopTriggered(turn: Turn, stop: ParentOrder): void {
  const { bot, pair, at } = turn;
  recordOrder(pair, stop, at, stop.firstPrice);
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'opposite_signal');
  closePlan(turn, 'exchange_stop');
  if (pair.position === null) return;
  for (const { table, index } of stop.rows) pair.position.fired[table] |= 1 << index;
  if (stop.priceExits !== undefined) removePriceExits(pair.position, stop.priceExits);
  if (pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  setPhase(bot, pair, at, 'selling');
}

/** Ends the protective stop after its order ended, and continues an exit that waited for it. */
export function endStop(turn: Turn, stop: ParentOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
  pair.stop = null;
  const end = endOf(stop, how);
  if (end !== 'filled' && stop.filled > 0 && stop.priceExits !== undefined && pair.position !== null) {
    putPriceExits(pair.position, stop.priceExits);
  }
  recordOrderEnd(pair, stop, end, at);
  bot.observer.parentOrderEnd(at, pair, stop, end);
  const { exit } = pair;
  if (exit !== null && exit.order === null && exit.dueAt === 0) exit.dueAt = at;
  if (stop.filled > 0) afterExternalChange(bot, pair, knownPrice(pair, stop.direction) || stop.firstPrice, at);
}

function endOf({ filled, target, afterCancel }: ParentOrder, how: OrderEnd): ParentOrderEnd {
  if (filled >= target) return 'filled';
  if (afterCancel !== null && afterCancel !== 'reprice' && afterCancel !== 'taker') return afterCancel;
  return how === 'rejected' || how === 'post_only_rejected' ? 'rejected' : 'unfilled';
}
