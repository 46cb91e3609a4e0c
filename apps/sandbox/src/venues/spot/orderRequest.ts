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

/** The market or the account says no; nothing has changed. */
export class OrderRejected extends RejectedByVenue {
  readonly reason: OrderRejection;
  constructor(refusal: OrderRejection) {
    super(refusal);
    this.reason = refusal;
  }
}

export type OrderRequest = {
  clientId: string;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  /** limit price in ticks; 0 for orders at market */
  tick: number;
  /** last price in ticks that wakes a stop order; left out for others */
  stopTick?: number;
  /** steps; 0 when ordered by value */
  steps: number;
  /** value in units of the quote asset; 0 when ordered by quantity */
  quoteOrdered: bigint;
  selfTrade: SelfTradePrevention;
  /** what becomes of a LIMIT_MAKER order that would trade at once; default `refuse` */
  onCross?: 'refuse' | 'expire';
};
