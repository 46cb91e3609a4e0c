import type { LedgerFill } from '../ledger/fill.ts';
import type { Price, Quantity, Quote, Ratio } from '../money/units.ts';
import type { OrderEnd } from '../state/botEvents.ts';
import type { LiveOrder, Trigger } from '../state/parentOrder.ts';

/** Why an exchange has expired an order, as far as it says so. */
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

/** What the exchange says of one order. */
export interface OrderReport {
  readonly clientOrderId: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  /** Null for types that a bot does not use. */
  readonly type: LiveOrder['type'] | null;
  /** 0 for orders at market. */
  readonly price: Price;
  readonly quantity: Quantity;
  /** Of stops only. */
  readonly trigger?: Trigger;
  /** Filled in all so far. */
  readonly filled: Quantity;
  readonly status: 'open' | OrderEnd;
  /** Of expired orders, where the exchange gives a reason. */
  readonly expiry?: ExpiryReason;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
}

/** A fill of the account, of whichever order. */
export interface OwnFill extends LedgerFill {
  /** Trade id, unique in its pair. */
  readonly id: string;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
  readonly pair: string;
  readonly clientOrderId: string;
  readonly liquidity: 'maker' | 'taker';
  /** Of an order that only reduces. */
  readonly exit: boolean;
  /** The exchange itself has closed the position: for want of margin, or to cover another account's. */
  readonly forced?: 'liquidation' | 'deleveraging';
}

/** What changed the wallet of a futures account without a trade. */
export interface OwnIncome {
  /** `clearance`: what the exchange took after a forced closing, or its insurance fund paid. */
  readonly type: 'funding' | 'clearance';
  /** Unique in its type. */
  readonly id: string;
  /** By the exchange's clock, ms since 1970. */
  readonly at: number;
  readonly pair: string;
  /** Positive: received. */
  readonly amount: Quote;
  /** Of funding, where the exchange tells them: by how much was paid, and at which price positions counted. */
  readonly terms?: { readonly rate: Ratio; readonly mark: Price };
}

/** Up to where the fills of a pair are known: all before `at`, and those of `at` up to `id`; id is empty before the first. */
export interface TradeCursor {
  readonly at: number;
  readonly id: string;
}
