import type { Price, Quantity } from '../money/units.ts';

/** Best prices of a pair. `bid` and `ask` are 0 when the feed has no book; sizes are 0 when unknown. */
export interface PairQuote {
  at: number;
  bid: Price;
  bidSize: Quantity;
  ask: Price;
  askSize: Quantity;
  last: Price;
  /** Mark price of a future; omitted or 0 where there is none, and the last price is used instead. */
  mark?: Price;
}
