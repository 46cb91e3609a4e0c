import { type StandardDeviation, standardDeviationInit, standardDeviationNext } from './standardDeviation.ts';

export interface Bollinger {
  deviation: StandardDeviation;
  readonly mult: number;
  /** Newest values; NaN while undefined. */
  middle: number;
  upper: number;
  lower: number;
}

export function bollingerInit(length: number, mult: number): Bollinger {
  return {
    deviation: standardDeviationInit(length),
    mult,
    middle: Number.NaN,
    upper: Number.NaN,
    lower: Number.NaN,
  };
}

/** Computes Bollinger bands: SMA ± k·SD with the current candle, from index n − 1. @see docs/indicators.md#bollinger */
export function bollingerNext(bands: Bollinger, x: number): void {
  const width = bands.mult * standardDeviationNext(bands.deviation, x);
  const { mean } = bands.deviation;
  bands.middle = mean;
  bands.lower = mean - width;
  bands.upper = mean + width;
}
