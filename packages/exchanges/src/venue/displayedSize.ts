import type { Market } from '@heron/engine/market/market.ts';
import type { Quantity } from '@heron/engine/money/units.ts';

/** Returns a displayed size in asset units. Sizes of very cheap assets are limited to the exact range. */
export function sizeOf(size: number, market: Market): Quantity {
  if (!(size > 0)) return 0;
  const units = Math.round(size * 10 ** market.assetDecimals);
  return Math.min(units, Number.MAX_SAFE_INTEGER);
}
