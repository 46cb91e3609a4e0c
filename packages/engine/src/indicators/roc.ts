import { type Delay, delayInit, delayNext } from './delay.ts';

export type Roc = Delay;

export function rocInit(length: number): Roc {
  return delayInit(length);
}

/** Computes the ROC in percent, `100·(c − c₋ₙ)/c₋ₙ`. @returns NaN before index n @see docs/indicators.md#roc */
export function rocNext(roc: Roc, close: number): number {
  const old = delayNext(roc, close);
  return (100 * (close - old)) / old;
}
