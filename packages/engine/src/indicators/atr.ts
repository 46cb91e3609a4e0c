import { type Ema, emaNext, rmaInit } from './ema.ts';
import { trueRange } from './trueRange.ts';

export interface Atr {
  mean: Ema;
  /** Close of the previous candle. */
  close: number;
}

export function atrInit(length: number): Atr {
  return { mean: rmaInit(length), close: Number.NaN };
}

/** Computes the ATR: Wilder's mean of the true range. @returns NaN before index n − 1 @see docs/indicators.md#atr */
export function atrNext(atr: Atr, high: number, low: number, close: number): number {
  const range = trueRange(high, low, atr.close);
  atr.close = close;
  return emaNext(atr.mean, range);
}
