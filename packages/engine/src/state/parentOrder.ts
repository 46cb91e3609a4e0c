import type { ExitRule } from '../exitRules/exitRule.ts';
import type { Direction } from '../market/direction.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { PriceExit } from './priceExit.ts';

/** Reason of plan orders. Journals and trades store it as `ladder` since version 1, so it never changes. */
export const PLAN_REASON = 'ladder';

/** Why a parent order exists. @see docs/orders.md#parent-and-child-orders */
export const REASONS = [
  'signal',
  'reverse',
  'manual',
  PLAN_REASON,
  'stop_sell',
  'price_stop',
  'exchange_stop',
  'profit_win',
  'price_target',
  'profit_callback',
  'trailing_stop',
  'liquidation_guard',
  'liquidation',
  'run_end',
  'external',
] as const;

export type Reason = (typeof REASONS)[number];

/** How a parent order can end. @see docs/orders.md#parent-and-child-orders */
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

/** Trigger of a stop order, which is not in the order book before. */
export interface Trigger {
  readonly price: Price;
  /** Price that must reach it: the last price, or the mark price of a future. */
  readonly by: 'last' | 'mark';
}

/** A child order that may still fill. */
export interface LiveOrder {
  /** Number of the child order, from 1. */
  n: number;
  type: 'limit_maker' | 'limit_ioc' | 'market' | 'stop_market' | 'stop_limit';
  /** 0 for orders at market. */
  price: Price;
  /** Only on stops. */
  trigger?: Trigger;
  quantity: Quantity;
  filled: Quantity;
  /** Value of its fills; absent before the first. */
  notional?: Quote;
  status: 'placing' | 'open' | 'cancelling';
  placedAt: number;
  /** Ids of its fills; a repeated fill is booked once. */
  fillIds: string[];
}

/** An exit level that triggered: its table and row. */
export interface TriggeredLevel {
  table: ExitRule['table'];
  index: number;
}

/** Price of a manual entry that stays where its owner puts it. @see docs/orders.md#limit-orders */
export interface EntryLimit {
  readonly price: Price;
  /** It never takes: an order that would match at once ends. */
  readonly postOnly: boolean;
  /** Time of the quote whose size it has taken last; omitted before. */
  takenAt?: number;
}

/** One decision to enter or exit; it may need several orders. @see docs/orders.md#parent-and-child-orders */
export interface ParentOrder {
  id: number;
  kind: 'entry' | 'exit';
  /** Side of its child orders: an entry of a short sells. */
  side: 'buy' | 'sell';
  /** Direction of the position that it enters or exits. */
  direction: Direction;
  reason: Reason;
  openedAt: number;
  target: Quantity;
  /** Exits: the whole holding is sold, including late fills of a cancelled entry. */
  all: boolean;
  /** Entries: cost plus fees never exceed it. */
  budget: Quote;
  /** Price that slippage is measured from; 0 before the first order. @see docs/orders.md#slippage */
  firstPrice: Price;
  urgency: 'maker' | 'taker';
  /** No slippage guard: risk exits and manual exits. */
  unguarded: boolean;
  /** Manual orders: maximum distance from the middle of the book for a taker. The remainder is dropped. */
  slippage?: Ratio;
  /** Limit orders: their price, which is also `firstPrice`. */
  limit?: EntryLimit;
  /** Stop entries: the price that must be reached before anything is sent. @see docs/orders.md#stop-entries */
  stopEntry?: { readonly price: Price; isReached: boolean };
  /** Entries: price exits of the position that it opens. Exits: those that triggered it. */
  priceExits?: readonly PriceExit[];
  filled: Quantity;
  notional: Quote;
  feeAsset: string;
  fee: number;
  feeQuote: Quote;
  realised: Quote;
  /** Exit of a grid level: net result by the cost of its own level; absent for other orders. */
  cycleResult?: Quote;
  /** Timer rounds, rejects included; at most 10. */
  attempts: number;
  /** Seconds for which an exit has waited for quotes; absent before the first. */
  waits?: number;
  /** Post-only rejects in a row. */
  rejects: number;
  orders: number;
  order: LiveOrder | null;
  /** Next step once the order that is being cancelled has ended. */
  afterCancel: 'reprice' | 'taker' | ParentOrderEnd | null;
  /** Time of the next step; 0 for none. */
  dueAt: number;
  rows: TriggeredLevel[];
  /** Key of the plan's order that it serves; empty for none. Such a parent order stays at `firstPrice`. */
  planKey: string;
}

/** A parent order with a child order that may still fill. */
export type OpenParentOrder = ParentOrder & { readonly order: LiveOrder };

export function hasOrder(parent: ParentOrder): parent is OpenParentOrder {
  return parent.order !== null;
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
    planKey: '',
  };
}

/**
 * Returns the remaining quantity of a working entry: that of its open order, which a re-price may have reduced, or that of its
 * target between two orders.
 *
 * @see docs/orders.md#maker-orders, docs/accounting.md#spot-balances, docs/margin.md#margin-of-positions-and-orders
 */
export function remainingEntry({ order, target, filled }: ParentOrder): Quantity {
  return order === null ? target - filled : order.quantity - order.filled;
}

/**
 * Returns the client order id: bot, parent order, number of the child order; at most 36 characters.
 *
 * @see docs/orders.md#client-order-ids
 */
export function clientOrderId(botId: string, parent: ParentOrder, order: Pick<LiveOrder, 'n'>): string {
  return `${botId}-${parent.id}-${order.n}`;
}

/** Returns whether the user may cancel it. Orders at market and those of exit levels and plans cannot be cancelled. */
export function isCancellable(parent: ParentOrder): boolean {
  const mayWait = parent.urgency === 'maker' || waitsForPrice(parent);
  return mayWait && !comesFromLevel(parent) && parent.reason !== PLAN_REASON;
}

/** Returns whether an exit level or a price exit has triggered an exit, also beside other causes. */
export function comesFromLevel({ kind, rows, priceExits }: ParentOrder): boolean {
  return rows.length > 0 || (kind === 'exit' && priceExits !== undefined);
}

/** Returns whether its owner has set the price of an entry, which no re-price changes. */
export function hasOwnPrice({ limit, stopEntry }: ParentOrder): boolean {
  return limit !== undefined || stopEntry !== undefined;
}

/** Returns whether an entry belongs to the open position. One with its owner's price waits for a later one until it fills. */
export function belongsToPosition(entry: ParentOrder): boolean {
  return !hasOwnPrice(entry) || entry.filled > 0;
}

/** Returns whether a stop entry waits for its price, so that nothing of it is sent yet. */
export function waitsForPrice({ stopEntry }: ParentOrder): boolean {
  return stopEntry !== undefined && !stopEntry.isReached;
}
