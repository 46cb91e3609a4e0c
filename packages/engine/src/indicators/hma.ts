import { type Wma, wmaInit, wmaNext } from './wma.ts';

export interface Hma {
  half: Wma;
  full: Wma;
  smooth: Wma;
}

export function hmaInit(length: number): Hma {
  return {
    half: wmaInit(Math.floor(length / 2)),
    full: wmaInit(length),
    smooth: wmaInit(Math.round(Math.sqrt(length))),
  };
}

/**
 * Computes Hull's HMA: `WMA(2·WMA(x,⌊n/2⌋) − WMA(x,n), round(√n))`.
 *
 * @returns NaN before index n + round(√n) − 2
 * @see docs/indicators.md#hma
 */
export function hmaNext(hma: Hma, x: number): number {
  const half = wmaNext(hma.half, x);
  const full = wmaNext(hma.full, x);
  return Number.isNaN(full) ? Number.NaN : wmaNext(hma.smooth, 2 * half - full);
}
