import type { OrderType, TimeInForce } from '../../accounts/spot/spotOrders.ts';
import type { SelfTradePrevention, Side } from '../../book/book.ts';
import { RejectedByVenue } from '../venue.ts';

export type OrderRejection =
  | 'insufficient-balance'
  | 'would-match'
  | 'duplicate-client-id'
  | 'unknown-order'
  | 'no-liquidity'
  | 'would-trigger'
  | 'market-closed'
  | 'not-smaller'
  | 'too-small'
  | 'no-change';

/** The market or the account rejects a request; nothing has changed. */
export class OrderRejected extends RejectedByVenue {
  readonly reason: OrderRejection;
  constructor(rejection: OrderRejection) {
    super(rejection);
    this.reason = rejection;
  }
}

export type OrderRequest = {
  clientId: string;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  /** Limit price in ticks; 0 for market orders. */
  tick: number;
  /** Last price in ticks that triggers a stop order; absent for the others. */
  stopTick?: number;
  /** Steps; 0 when ordered by value. */
  steps: number;
  /** Value in units of the quote asset; 0 when ordered by quantity. */
  quoteOrdered: bigint;
  selfTrade: SelfTradePrevention;
  /** Result of a LIMIT_MAKER order that would trade at once; default `refuse`. */
  onCross?: 'refuse' | 'expire';
};
