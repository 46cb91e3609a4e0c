import { type Extreme, extremeInit, highestNext, lowestNext } from './extreme.ts';
import { type ShortMean, shortMeanInit, shortMeanNext } from './shortMean.ts';

export interface Stochastic {
  highs: Extreme;
  lows: Extreme;
  kMean: ShortMean;
  dMean: ShortMean;
  /** Newest values, 0–100; NaN while undefined. */
  k: number;
  d: number;
}

export function stochasticInit(length: number, k: number, d: number): Stochastic {
  return {
    highs: extremeInit(length),
    lows: extremeInit(length),
    kMean: shortMeanInit(k),
    dMean: shortMeanInit(d),
    k: Number.NaN,
    d: Number.NaN,
  };
}

/**
 * Computes the stochastic oscillator: position of the close in the range of n candles, 50 without a range; K and D are its means.
 * K is first defined at index n + k − 2, D d − 1 later.
 *
 * @see docs/indicators.md#stochastic
 */
export function stochasticNext(stochastic: Stochastic, high: number, low: number, close: number): void {
  const lowest = lowestNext(stochastic.lows, low);
  const range = highestNext(stochastic.highs, high) - lowest;
  if (Number.isNaN(range)) return;
  stochastic.k = shortMeanNext(stochastic.kMean, range === 0 ? 50 : (100 * (close - lowest)) / range);
  if (!Number.isNaN(stochastic.k)) stochastic.d = shortMeanNext(stochastic.dMean, stochastic.k);
}
