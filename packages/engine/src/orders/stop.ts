import type { Direction } from '../market/direction.ts';
import { exact, type Price, type Quantity } from '../money/units.ts';
import { afterExternalChange } from '../state/afterExternalChange.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { PairState, Position } from '../state/botState.ts';
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
import { endParentOrder, finishParentOrder } from './finishParentOrder.ts';

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
  if (stop.priceExits !== undefined) takePriceExits(pair, pair.position, stop);
  if (pair.phase === 'buying') setPhase(bot, pair, at, 'bought');
  setPhase(bot, pair, at, 'selling');
}

/**
 * Moves the price exits of a protective stop from the position to it. Its owner may have changed or removed some since it was placed;
 * those of an exit that waits for its end count as well.
 */
function takePriceExits({ exit }: PairState, position: Position, stop: ParentOrder): void {
  const ids = new Set(stop.priceExits?.map(({ id }) => id));
  const left = (position.priceExits ?? []).filter(({ id }) => ids.has(id));
  removePriceExits(position, left);
  const shared = (exit?.priceExits ?? []).filter(({ id }) => ids.has(id));
  setStopLevels(stop, { rows: stop.rows, priceExits: [...left, ...shared] });
}

/** Returns the price exits of a stop that has sold only a part to the position, except those that an exit carries out. */
function restorePriceExits({ exit }: PairState, position: Position, stop: ParentOrder): void {
  const taken = new Set(exit?.priceExits?.map(({ id }) => id));
  const own = (stop.priceExits ?? []).filter(({ id }) => !taken.has(id));
  if (own.length > 0) putPriceExits(position, own);
}

/** Returns whether a protective stop and an exit sell for the same row or price exit. */
export function sharesLevels(stop: ParentOrder, exit: ParentOrder): boolean {
  const isRow = ({ table, index }: TriggeredLevel) =>
    exit.rows.some((other) => other.table === table && other.index === index);
  const ids = new Set(exit.priceExits?.map(({ id }) => id));
  return stop.rows.some(isRow) || (stop.priceExits ?? []).some(({ id }) => ids.has(id));
}

/** Takes what a protective stop has sold off the exit that waited for its end, if both sold for the same levels. */
function countStopFills(turn: Turn, stop: ParentOrder, exit: ParentOrder): void {
  if (stop.filled === 0 || !sharesLevels(stop, exit)) return;
  exit.target = Math.max(exit.filled, exact(exit.target - stop.filled));
  if (exit.target > exit.filled) return;
  // The levels have done their work.
  exit.rows = [];
  delete exit.priceExits;
  if (exit.order === null) finishParentOrder(turn, exit, exit.filled > 0 ? 'filled' : 'cancelled');
}

/** Ends the protective stop after its order ended, and continues an exit that waited for it. */
export function endStop(turn: Turn, stop: ParentOrder, how: OrderEnd): void {
  const { bot, pair, at } = turn;
  pair.stop = null;
  const end = endOf(stop, how);
  if (end !== 'filled' && stop.filled > 0 && pair.position !== null) restorePriceExits(pair, pair.position, stop);
  recordOrderEnd(pair, stop, end, at);
  bot.observer.parentOrderEnd(at, pair, stop, end);
  if (pair.exit !== null) countStopFills(turn, stop, pair.exit);
  const { exit } = pair;
  if (exit !== null && exit.order === null && exit.dueAt === 0) exit.dueAt = at;
  if (stop.filled > 0) afterExternalChange(bot, pair, knownPrice(pair, stop.direction) || stop.firstPrice, at);
}

function endOf({ filled, target, afterCancel }: ParentOrder, how: OrderEnd): ParentOrderEnd {
  if (filled >= target) return 'filled';
  if (afterCancel !== null && afterCancel !== 'reprice' && afterCancel !== 'taker') return afterCancel;
  return how === 'rejected' || how === 'post_only_rejected' ? 'rejected' : 'unfilled';
}
