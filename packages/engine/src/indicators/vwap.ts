import { type RollingSum, rollingSumInit, rollingSumNext } from './rollingSum.ts';

export interface Vwap {
  volume: RollingSum;
  turnover: RollingSum;
  /** Newest typical price; `same` is the number of candles since its last change. */
  typical: number;
  same: number;
}

export function vwapInit(length: number): Vwap {
  return { volume: rollingSumInit(length), turnover: rollingSumInit(length), typical: Number.NaN, same: 0 };
}

/**
 * Computes the rolling VWAP: mean of the typical price over the last n candles, weighted by volume. A constant price gives exactly
 * that price.
 *
 * @returns NaN before index n − 1, and while the window has no volume
 * @see docs/indicators.md#vwap
 */
export function vwapNext(vwap: Vwap, high: number, low: number, close: number, volume: number): number {
  const typical = (high + low + close) / 3;
  vwap.same = typical === vwap.typical ? vwap.same + 1 : 1;
  vwap.typical = typical;
  const turnover = rollingSumNext(vwap.turnover, typical * volume);
  const sum = rollingSumNext(vwap.volume, volume);
  if (!(sum > 0)) return Number.NaN;
  return vwap.same >= vwap.volume.length ? typical : turnover / sum;
}
