import type { Price, Quantity, Quote } from '../money/units.ts';

/** +1 long, −1 short. @see docs/entries.md#direction */
export type Side = 1 | -1;

/** One order that a ladder wants on the book: post-only, until cancelled, never re-priced by `order_adjust_time`. */
export interface GridOrder {
  /** Names what the order is for; a ladder never has two orders of one key. */
  readonly key: string;
  readonly kind: 'entry' | 'exit';
  readonly side: 'buy' | 'sell';
  readonly price: Price;
  readonly quantity: Quantity;
}

/** A fill of a rung, or of the order that a ladder begins with. */
export interface GridFill {
  readonly quantity: Quantity;
  /** Price times quantity. */
  readonly value: Quote;
  /** Fee taken out of the asset, 0 if it was paid otherwise. */
  readonly feeBase: Quantity;
  /** Value of a fee that was not taken out of the asset. */
  readonly feeQuote: Quote;
}

/** BUY or SELL of an entry or exit of a side. */
export function orderSide(side: Side, kind: 'entry' | 'exit'): 'buy' | 'sell' {
  return (side === 1) === (kind === 'entry') ? 'buy' : 'sell';
}
