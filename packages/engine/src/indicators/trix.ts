import { type Ema, emaInit, emaNext } from './ema.ts';

export interface Trix {
  first: Ema;
  second: Ema;
  third: Ema;
}

export function trixInit(length: number): Trix {
  return { first: emaInit(length), second: emaInit(length), third: emaInit(length) };
}

/** Computes TRIX: percent change of EMA(EMA(EMA(c))). @returns NaN before index 3n − 2 @see docs/indicators.md#trix */
export function trixNext(trix: Trix, close: number): number {
  const first = emaNext(trix.first, close);
  if (Number.isNaN(first)) return Number.NaN;
  const second = emaNext(trix.second, first);
  if (Number.isNaN(second)) return Number.NaN;
  const before = trix.third.value;
  const third = emaNext(trix.third, second);
  return (100 * (third - before)) / before;
}
