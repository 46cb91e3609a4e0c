import { type Ema, emaNext, rmaInit } from './ema.ts';
import { trueRange } from './trueRange.ts';

export interface Dmi {
  plusMean: Ema;
  minusMean: Ema;
  rangeMean: Ema;
  adxMean: Ema;
  /** High of the previous candle; `low` and `close` are its low and close. */
  high: number;
  low: number;
  close: number;
  /** Newest values, 0–100; NaN while undefined. */
  plus: number;
  minus: number;
  adx: number;
}

export function dmiInit(length: number): Dmi {
  return {
    plusMean: rmaInit(length),
    minusMean: rmaInit(length),
    rangeMean: rmaInit(length),
    adxMean: rmaInit(length),
    high: Number.NaN,
    low: Number.NaN,
    close: Number.NaN,
    plus: Number.NaN,
    minus: Number.NaN,
    adx: Number.NaN,
  };
}

/**
 * Computes Wilder's directional movement: +DI and −DI from index n, ADX from index 2n − 1. Both DI are 0 without a range.
 *
 * @see docs/indicators.md#dmi
 */
export function dmiNext(dmi: Dmi, high: number, low: number, close: number): void {
  const up = high - dmi.high;
  const down = dmi.low - low;
  const before = dmi.close;
  dmi.high = high;
  dmi.low = low;
  dmi.close = close;
  if (Number.isNaN(before)) return;
  const plus = emaNext(dmi.plusMean, up > down && up > 0 ? up : 0);
  const minus = emaNext(dmi.minusMean, down > up && down > 0 ? down : 0);
  const range = emaNext(dmi.rangeMean, trueRange(high, low, before));
  if (Number.isNaN(range)) return;
  dmi.plus = range === 0 ? 0 : (100 * plus) / range;
  dmi.minus = range === 0 ? 0 : (100 * minus) / range;
  const sum = dmi.plus + dmi.minus;
  dmi.adx = emaNext(dmi.adxMean, sum === 0 ? 0 : (100 * Math.abs(dmi.plus - dmi.minus)) / sum);
}
