import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';
import { type Rsi, rsiInit, rsiNext } from './rsi.ts';
import { type ShortMean, shortMeanInit, shortMeanNext } from './shortMean.ts';

export interface StochRsi {
  rsi: Rsi;
  highs: Extreme;
  lows: Extreme;
  kMean: ShortMean;
  dMean: ShortMean;
  /** Newest values, 0–100; NaN while undefined. */
  k: number;
  d: number;
}

/** In RSI points. Smaller ranges are rounding errors of a flat market and count as no range. */
const NO_RANGE = 1e-9;

export function stochRsiInit(rsi: number, stoch: number, k: number, d: number): StochRsi {
  return {
    rsi: rsiInit(rsi),
    highs: extremeInit(stoch),
    lows: extremeInit(stoch),
    kMean: shortMeanInit(k),
    dMean: shortMeanInit(d),
    k: Number.NaN,
    d: Number.NaN,
  };
}

/**
 * Computes the StochRSI: position of the RSI in its range over s, 50 without a range; K and D are its means.
 *
 * K is first defined at index r + s + k − 2, D d − 1 later.
 *
 * @see docs/indicators.md#stochrsi
 */
export function stochRsiNext(stoch: StochRsi, close: number): void {
  const rsi = rsiNext(stoch.rsi, close);
  if (Number.isNaN(rsi)) return;
  const highest = highestNext(stoch.highs, rsi);
  const lowest = lowestNext(stoch.lows, rsi);
  const range = highest - lowest;
  if (Number.isNaN(range)) return;
  stoch.k = shortMeanNext(stoch.kMean, range <= NO_RANGE ? 50 : (100 * (rsi - lowest)) / range);
  if (!Number.isNaN(stoch.k)) stoch.d = shortMeanNext(stoch.dMean, stoch.k);
}
