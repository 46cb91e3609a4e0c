import { type Ema, emaInit, emaNext } from './ema.ts';

export interface Tema {
  first: Ema;
  second: Ema;
  third: Ema;
}

export function temaInit(length: number): Tema {
  return { first: emaInit(length), second: emaInit(length), third: emaInit(length) };
}

/** Computes the triple EMA `3·e₁ − 3·e₂ + e₃` of repeated EMAs. @returns NaN before index 3n − 3 @see docs/indicators.md#tema */
export function temaNext({ first, second, third }: Tema, x: number): number {
  const once = emaNext(first, x);
  if (Number.isNaN(once)) return Number.NaN;
  const twice = emaNext(second, once);
  return Number.isNaN(twice) ? Number.NaN : 3 * (once - twice) + emaNext(third, twice);
}
