import { type RollingSum, rollingSumInit, rollingSumNext } from './rollingSum.ts';

export interface Mfi {
  rising: RollingSum;
  falling: RollingSum;
  /** Typical price of the previous candle; NaN before the first. */
  typical: number;
}

export function mfiInit(length: number): Mfi {
  return { rising: rollingSumInit(length), falling: rollingSumInit(length), typical: Number.NaN };
}

/**
 * Computes the money flow index: share of the turnover of n candles whose typical price rose, in percent; 50 without turnover.
 *
 * @returns 0–100, NaN before index n
 * @see docs/indicators.md#mfi
 */
export function mfiNext(mfi: Mfi, high: number, low: number, close: number, volume: number): number {
  const typical = (high + low + close) / 3;
  const before = mfi.typical;
  mfi.typical = typical;
  if (Number.isNaN(before)) return Number.NaN;
  const rising = rollingSumNext(mfi.rising, typical > before ? typical * volume : 0);
  const falling = rollingSumNext(mfi.falling, typical < before ? typical * volume : 0);
  const total = rising + falling;
  return total === 0 ? 50 : (100 * rising) / total;
}
