import type { LedgerFill } from '../ledger/fill.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { LiveOrder, Trigger } from '../state/parentOrder.ts';

/** Why an exchange expired an order, where it gives a reason. */
export type ExpiryReason =
  | 'unfilled_ioc'
  | 'unfilled_fok'
  | 'no_liquidity'
  /** It could only have been filled further from the reference price than the exchange allows. */
  | 'price_range'
  | 'would_take'
  | 'self_trade'
  | 'reduce_only'
  | 'liquidation'
  | 'delisted'
  | 'by_exchange'
  | 'other';

/** State of an order at the exchange. */
export interface OrderReport {
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  /** Null for types that a bot does not use. */
  readonly type: LiveOrder['type'] | null;
  /** 0 for orders at market. */
  readonly price: Price;
  readonly quantity: Quantity;
  /** Only on stops. */
  readonly trigger?: Trigger;
  /** Total filled so far. */
  readonly filled: Quantity;
  readonly status: 'open' | OrderEnd;
  /** Only on expired orders, where the exchange gives a reason. */
  readonly expiry?: ExpiryReason;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
}

/** A fill of any order of the account. */
export interface OwnFill extends LedgerFill {
  /** Trade id, unique in its pair. */
  readonly id: string;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
  readonly pair: string;
  readonly clientOrderId: string;
  readonly liquidity: 'maker' | 'taker';
  /** The order is reduce-only. */
  readonly exit: boolean;
  /** The exchange closed the position: by liquidation, or to cover the loss of another account. */
  readonly forced?: 'liquidation' | 'deleveraging';
}

/** A change of the wallet of a futures account without a trade. */
export interface OwnIncome {
  /** `clearance`: an amount that the exchange took after a forced close, or that its insurance fund paid. */
  readonly type: 'funding' | 'clearance';
  /** Unique in its type. */
  readonly id: string;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
  readonly pair: string;
  /** Positive: received. */
  readonly amount: Quote;
  /** Only on funding, where the exchange gives them: the rate, and the mark price of the positions. */
  readonly terms?: { readonly rate: Ratio; readonly mark: Price };
}

/** Position in the fills of a pair: all before `at` are known, and those of `at` up to `id`; empty before the first. */
export interface TradeCursor {
  readonly at: number;
  readonly id: string;
}
