import type { PairView } from '@heron/contract/bots/entities.ts';

/**
 * Returns about what a share of a position would realise at a price, in the quote currency, before the fee of the exit.
 *
 * @param percent of the position
 */
export function resultAt(
  { direction, entryPrice, quantity }: Pick<NonNullable<PairView['position']>, 'direction' | 'entryPrice' | 'quantity'>,
  price: string,
  percent: number,
): number {
  const moved = Number(price) - Number(entryPrice);
  return ((direction === 'short' ? -moved : moved) * Number(quantity) * percent) / 100;
}
