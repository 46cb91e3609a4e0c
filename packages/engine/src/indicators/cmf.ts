import { type RollingSum, rollingSumInit, rollingSumNext } from './rollingSum.ts';

export interface Cmf {
  flow: RollingSum;
  volume: RollingSum;
}

export function cmfInit(length: number): Cmf {
  return { flow: rollingSumInit(length), volume: rollingSumInit(length) };
}

/**
 * Computes the Chaikin money flow: volume of n candles weighted by the place of the close in its candle, −1 at the low to 1 at the
 * high, over the whole volume; 0 without volume.
 *
 * @returns −1 to 1, NaN before index n − 1
 * @see docs/indicators.md#cmf
 */
export function cmfNext(cmf: Cmf, high: number, low: number, close: number, volume: number): number {
  const range = high - low;
  const place = range === 0 ? 0 : (2 * close - high - low) / range;
  const flow = rollingSumNext(cmf.flow, place * volume);
  const sum = rollingSumNext(cmf.volume, volume);
  return sum === 0 ? 0 : flow / sum;
}
