import type { Price, Quantity, Quote } from '../money/units.ts';

/** +1 long, −1 short. @see docs/entries.md#direction */
export type Side = 1 | -1;

/** One order that a plan wants: post-only, good until cancelled, never re-priced by `order_adjust_time`. */
export interface PlanOrder {
  /** Purpose of the order; a plan never has two orders of one key. */
  readonly key: string;
  readonly kind: 'entry' | 'exit';
  readonly side: 'buy' | 'sell';
  readonly price: Price;
  readonly quantity: Quantity;
}

/** A fill of a grid order, a safety order or a base order. */
export interface GridFill {
  readonly quantity: Quantity;
  /** Price times quantity. */
  readonly value: Quote;
  /** Fee paid in the asset, 0 if it was paid otherwise. */
  readonly feeBase: Quantity;
  /** Value of a fee that was not paid in the asset. */
  readonly feeQuote: Quote;
}

/** Returns the order side of an entry or exit of a direction. */
export function orderSide(side: Side, kind: 'entry' | 'exit'): 'buy' | 'sell' {
  return (side === 1) === (kind === 'entry') ? 'buy' : 'sell';
}
