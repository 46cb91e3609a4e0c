import { asRows, type Row } from '../http/row.ts';
import type { ListedPair } from '../venue/publicExchange.ts';
import { numberIn } from '../venue/ticker.ts';

/**
 * Reads the tick, the step and the limits of a pair from its filters; null when a filter is missing. Spot names the
 * smallest order value `NOTIONAL` or `MIN_NOTIONAL`.
 */
export function filtersOf(row: Row): Omit<ListedPair, 'stop'> | null {
  const filters = new Map(asRows(row.filters).map((filter) => [filter.filterType, filter]));
  const tickSize = numberIn(filters.get('PRICE_FILTER')?.tickSize);
  const lot = filters.get('LOT_SIZE');
  const stepSize = numberIn(lot?.stepSize);
  if (tickSize === null || stepSize === null) return null;
  const notional = filters.get('MIN_NOTIONAL') ?? filters.get('NOTIONAL');
  return {
    id: String(row.symbol),
    pair: `${String(row.baseAsset)}-${String(row.quoteAsset)}`,
    tickSize,
    stepSize,
    minQuantity: numberIn(lot?.minQty) ?? 0,
    maxQuantity: numberIn(lot?.maxQty) ?? Number.POSITIVE_INFINITY,
    minNotional: numberIn(notional?.minNotional) ?? numberIn(notional?.notional) ?? 0,
  };
}
