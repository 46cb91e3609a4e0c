import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';

export interface Williams {
  highs: Extreme;
  lows: Extreme;
}

export function williamsInit(length: number): Williams {
  return { highs: extremeInit(length), lows: extremeInit(length) };
}

/**
 * Computes Williams %R: `−100·(highest − c)/(highest − lowest)` over n candles, −50 without a range.
 *
 * @returns −100 to 0, NaN before index n − 1
 * @see docs/indicators.md#williams-r
 */
export function williamsNext(williams: Williams, high: number, low: number, close: number): number {
  const highest = highestNext(williams.highs, high);
  const range = highest - lowestNext(williams.lows, low);
  // Adding 0 turns −0 into 0.
  return range === 0 ? -50 : (-100 * (highest - close)) / range + 0;
}
