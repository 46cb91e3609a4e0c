import { ageOf, type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';

export interface Aroon {
  highs: Extreme;
  lows: Extreme;
  /** Newest values, 0–100; NaN while undefined. */
  up: number;
  down: number;
}

export function aroonInit(length: number): Aroon {
  return { highs: extremeInit(length + 1), lows: extremeInit(length + 1), up: Number.NaN, down: Number.NaN };
}

/**
 * Computes the Aroon lines: how recent the highest high and the lowest low of the last n + 1 candles are, 100 for the newest candle
 * and 0 for the oldest. Of equal extremes the newest counts. First at index n.
 *
 * @see docs/indicators.md#aroon
 */
export function aroonNext(aroon: Aroon, high: number, low: number): void {
  if (Number.isNaN(highestNext(aroon.highs, high) - lowestNext(aroon.lows, low))) return;
  const length = aroon.highs.length - 1;
  aroon.up = (100 * (length - ageOf(aroon.highs))) / length;
  aroon.down = (100 * (length - ageOf(aroon.lows))) / length;
}
