import type { Direction } from '../market/direction.ts';
import type { Price } from '../money/units.ts';
import type { PairState } from './botState.ts';
import { referencePrice } from './quotePrices.ts';

/**
 * Returns the reference price of a position of `direction`, or the last known price while the quote has none, so that a
 * missing quote does not turn a position into dust.
 *
 * @returns 0 before the first price
 * @see docs/exits.md#reference-price
 */
export function knownPrice({ quote, mark }: PairState, direction: Direction): Price {
  return (quote === null ? 0 : referencePrice(quote, direction)) || mark;
}
