import type { Direction } from '../market/direction.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';

/** Why an intent exists. @see docs/orders.md#parent-and-child-orders */
export const REASONS = [
  'signal',
  'reverse',
  'manual',
  'ladder',
  'stop_sell',
  'exchange_stop',
  'profit_win',
  'profit_callback',
  'liquidation_guard',
  'liquidation',
  'run_end',
  'external',
] as const;

export type Reason = (typeof REASONS)[number];

/** How an intent can end. @see docs/orders.md#parent-and-child-orders */
export const PARENT_ORDER_ENDS = [
  'filled',
  'below_minimum',
  'slippage',
  'timeout',
  'unfilled',
  'cancelled',
  'rejected',
  'opposite_signal',
  'stopped',
  'liquidated',
] as const;

export type ParentOrderEnd = (typeof PARENT_ORDER_ENDS)[number];

/** What wakes an order that rests at the exchange unseen by the book. */
export interface Trigger {
  readonly price: Price;
  /** The price that has to reach it: that of the last trade, or the mark of a future. */
  readonly by: 'last' | 'mark';
}

/** An order of an intent that may still fill. */
export interface LiveOrder {
  /** Counts the orders of its intent from 1. */
  n: number;
  type: 'limit_maker' | 'limit_ioc' | 'market' | 'stop_market' | 'stop_limit';
  /** 0 for orders at market. */
  price: Price;
  /** Of stops only. */
  trigger?: Trigger;
  quantity: Quantity;
  filled: Quantity;
  status: 'placing' | 'open' | 'cancelling';
  placedAt: number;
  /** Ids of its fills: one told twice is booked once. */
  fillIds: string[];
}

/** Which row of which table fired for an exit. */
export interface TriggeredLevel {
  table: 'stopSell' | 'profitWin' | 'callback';
  index: number;
}

/** One decision to enter or exit; it may need several orders. @see docs/orders.md#parent-and-child-orders */
export interface ParentOrder {
  id: number;
  kind: 'entry' | 'exit';
  /** Side of its orders: an entry of a short sells. */
  side: 'buy' | 'sell';
  /** Direction of the position that it makes or leaves. */
  direction: Direction;
  reason: Reason;
  openedAt: number;
  target: Quantity;
  /** Exits: whatever is held is to go, also what a cancelled entry still brings in. */
  all: boolean;
  /** Entries: cost plus fees never exceed it. */
  budget: Quote;
  /** Price that slippage is measured from; 0 before the first order. @see docs/orders.md#slippage */
  firstPrice: Price;
  urgency: 'maker' | 'taker';
  /** No slippage guard: risk exits and sales by hand. */
  unguarded: boolean;
  /** By hand: how far from the middle of the book a taker order may fill. The rest is dropped. */
  slippage?: Ratio;
  filled: Quantity;
  notional: Quote;
  feeAsset: string;
  fee: number;
  feeQuote: Quote;
  realised: Quote;
  /** Timer rounds, rejects included; at most 10. */
  attempts: number;
  /** Seconds for which an exit has waited for quotes; absent before the first. */
  waits?: number;
  /** Post-only rejects in a row. */
  rejects: number;
  orders: number;
  order: LiveOrder | null;
  /** What happens when the order being cancelled has ended. */
  afterCancel: 'reprice' | 'taker' | ParentOrderEnd | null;
  /** When to look again; 0 for never. */
  dueAt: number;
  rows: TriggeredLevel[];
  /** Which order of its pair's ladder it is; empty when it is none. Such an intent stays at `firstPrice`. */
  rung: string;
}

/** The parts that every new parent order has. */
export type NewParentOrder = Pick<
  ParentOrder,
  'id' | 'kind' | 'direction' | 'reason' | 'openedAt' | 'target' | 'urgency'
>;

/** Creates a parent order; the caller sets what differs from case to case. */
export function createParentOrder(parts: NewParentOrder): ParentOrder {
  const { id, kind, direction, reason, openedAt, target, urgency } = parts;
  return {
    id,
    kind,
    side: (kind === 'entry') === (direction === 1) ? 'buy' : 'sell',
    direction,
    reason,
    openedAt,
    target,
    all: false,
    budget: 0,
    firstPrice: 0,
    urgency,
    unguarded: false,
    filled: 0,
    notional: 0,
    feeAsset: '',
    fee: 0,
    feeQuote: 0,
    realised: 0,
    attempts: 0,
    rejects: 0,
    orders: 0,
    order: null,
    afterCancel: null,
    dueAt: 0,
    rows: [],
    rung: '',
  };
}

/**
 * What a working entry may still buy: the rest of its order, which a re-price may have made smaller; between two orders
 * that of its target.
 *
 * @see docs/orders.md#maker-orders, docs/accounting.md#spot-balances, docs/margin.md#margin-of-positions-and-orders
 */
export function remainingEntry({ order, target, filled }: ParentOrder): Quantity {
  return order === null ? target - filled : order.quantity - order.filled;
}

/**
 * Name of an order on the exchange: bot, intent, number of the order; at most 36 characters.
 *
 * @see docs/orders.md#client-order-ids
 */
export function clientOrderId(botId: string, parent: ParentOrder, order: LiveOrder): string {
  return `${botId}-${parent.id}-${order.n}`;
}

/** What rests can be taken back by hand. Not what a table sells, whose row would not fire again, and not a part of a ladder. */
export function isCancellable({ urgency, rows, reason }: ParentOrder): boolean {
  return urgency === 'maker' && rows.length === 0 && reason !== 'ladder';
}
