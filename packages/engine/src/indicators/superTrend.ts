import { type Atr, atrInit, atrNext } from './atr.ts';

export interface SuperTrend {
  atr: Atr;
  readonly mult: number;
  /** Final bands; NaN while undefined. */
  upper: number;
  lower: number;
  /** +1 or −1; NaN while undefined. */
  direction: number;
}

export function superTrendInit(atrLength: number, mult: number): SuperTrend {
  return { atr: atrInit(atrLength), mult, upper: Number.NaN, lower: Number.NaN, direction: Number.NaN };
}

/**
 * Computes the SuperTrend: bands of k·ATR around (h + l)/2 that only narrow while the close stays inside. The direction reverses
 * when the close leaves them.
 *
 * @returns the line: the lower band in direction +1, else the upper; NaN before index n − 1
 * @see docs/indicators.md#supertrend
 */
export function superTrendNext(trend: SuperTrend, high: number, low: number, close: number): number {
  const before = trend.atr.close;
  const width = trend.mult * atrNext(trend.atr, high, low, close);
  if (Number.isNaN(width)) return Number.NaN;
  const middle = (high + low) / 2;
  const upper = middle + width;
  const lower = middle - width;
  if (Number.isNaN(trend.direction)) {
    trend.upper = upper;
    trend.lower = lower;
    trend.direction = 1;
  } else {
    if (upper < trend.upper || before > trend.upper) trend.upper = upper;
    if (lower > trend.lower || before < trend.lower) trend.lower = lower;
  }
  if (trend.direction === 1) {
    if (close < trend.lower) trend.direction = -1;
  } else if (close > trend.upper) {
    trend.direction = 1;
  }
  return trend.direction === 1 ? trend.lower : trend.upper;
}
