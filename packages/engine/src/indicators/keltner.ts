import { type Atr, atrInit, atrNext } from './atr.ts';
import { type Ema, emaInit, emaNext } from './ema.ts';

export interface Keltner {
  mean: Ema;
  atr: Atr;
  readonly mult: number;
  /** Newest values; NaN while undefined. */
  basis: number;
  upper: number;
  lower: number;
}

export function keltnerInit(length: number, atrLength: number, mult: number): Keltner {
  return {
    mean: emaInit(length),
    atr: atrInit(atrLength),
    mult,
    basis: Number.NaN,
    upper: Number.NaN,
    lower: Number.NaN,
  };
}

/** Computes the Keltner channel: EMA of the closes ± k·ATR, once both are defined. @see docs/indicators.md#keltner */
export function keltnerNext(channel: Keltner, high: number, low: number, close: number): void {
  const basis = emaNext(channel.mean, close);
  const width = channel.mult * atrNext(channel.atr, high, low, close);
  channel.basis = basis;
  channel.upper = basis + width;
  channel.lower = basis - width;
}
