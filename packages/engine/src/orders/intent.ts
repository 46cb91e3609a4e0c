import type { Price, Quantity, Quote } from '../money/units.ts';

/** Why an intent exists. @see options.md 5.1 */
export const REASONS = ['signal', 'manual', 'stop_sell', 'profit_win', 'profit_callback', 'run_end'] as const;

export type Reason = (typeof REASONS)[number];

/** How an intent ended. @see options.md 5.2 to 5.4 */
export type IntentEnd =
  | 'filled'
  | 'below_minimum'
  | 'slippage'
  | 'timeout'
  | 'unfilled'
  | 'cancelled'
  | 'rejected'
  | 'opposite_signal'
  | 'stopped';

/** An order of an intent that may still fill. */
export interface LiveOrder {
  clientOrderId: string;
  type: 'limit_maker' | 'limit_ioc' | 'market';
  /** 0 for market orders. */
  price: Price;
  quantity: Quantity;
  filled: Quantity;
  status: 'placing' | 'open' | 'cancelling';
  placedAt: number;
  /** Ids of its fills: one told twice is booked once. */
  fillIds: string[];
}

/** Which row of which table fired for an exit. */
export interface FiredRow {
  table: 'stopSell' | 'profitWin' | 'callback';
  index: number;
}

/** One decision to enter or exit; it may need several orders. @see options.md 5.1 */
export interface Intent {
  id: string;
  kind: 'entry' | 'exit';
  side: 'buy' | 'sell';
  reason: Reason;
  openedAt: number;
  target: Quantity;
  /** Exits: whatever is held is to go, also what a cancelled entry still brings in. */
  all: boolean;
  /** Entries: cost plus fees never exceed it. */
  budget: Quote;
  /** p0 of the slippage rule; 0 before the first order. */
  firstPrice: Price;
  urgency: 'maker' | 'taker';
  /** No slippage guard: risk exits and sales by hand. */
  unguarded: boolean;
  filled: Quantity;
  notional: Quote;
  feeAsset: string;
  fee: number;
  feeQuote: Quote;
  realised: Quote;
  /** Timer rounds, rejects included; at most 10. */
  attempts: number;
  /** Post-only rejects in a row. */
  rejects: number;
  orders: number;
  order: LiveOrder | null;
  /** What happens when the order being cancelled has ended. */
  afterCancel: 'reprice' | 'taker' | IntentEnd | null;
  /** When to look again; 0 for never. */
  dueAt: number;
  rows: FiredRow[];
}

/** A fresh intent; the caller fills in what differs. */
export function newIntent(
  given: Pick<Intent, 'id' | 'kind' | 'side' | 'reason' | 'openedAt' | 'target' | 'urgency'> & Partial<Intent>,
): Intent {
  return {
    id: given.id,
    kind: given.kind,
    side: given.side,
    reason: given.reason,
    openedAt: given.openedAt,
    target: given.target,
    all: given.all ?? false,
    budget: given.budget ?? 0,
    firstPrice: 0,
    urgency: given.urgency,
    unguarded: given.unguarded ?? false,
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
    rows: given.rows ?? [],
  };
}
