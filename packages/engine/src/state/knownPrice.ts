import type { Direction } from '../market/direction.ts';
import type { Price } from '../money/units.ts';
import type { PairState } from './botState.ts';
import { referencePrice } from './quotePrices.ts';

/**
 * Reference price of a position of `direction`, or the last price known while the quote has none: what is held does not
 * become dust by silence.
 *
 * @returns 0 before the first price
 * @see docs/exits.md#reference-price
 */
export function knownPrice({ quote, mark }: PairState, direction: Direction): Price {
  return (quote === null ? 0 : referencePrice(quote, direction)) || mark;
}
