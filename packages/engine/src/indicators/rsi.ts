import { type Ema, emaNext, rmaInit } from './ema.ts';

export interface Rsi {
  gain: Ema;
  loss: Ema;
  previous: number;
}

export function rsiInit(length: number): Rsi {
  return { gain: rmaInit(length), loss: rmaInit(length), previous: Number.NaN };
}

/**
 * RSI by Wilder: `100 − 100/(1 + RMA(gain)/RMA(loss))`; loss 0 gives 100, both 0 give 50.
 *
 * @returns 0–100, NaN before index `length`
 * @see strategies.md 2
 */
export function rsiNext(rsi: Rsi, close: number): number {
  const change = close - rsi.previous;
  rsi.previous = close;
  if (Number.isNaN(change)) return Number.NaN;
  // The larger of the change and 0, exactly, without a branch that no processor could foresee.
  const size = Math.abs(change);
  const gain = emaNext(rsi.gain, 0.5 * (size + change));
  const loss = emaNext(rsi.loss, 0.5 * (size - change));
  if (loss === 0) return gain === 0 ? 50 : 100;
  // Not 100·gain/(gain + loss), which is the same but for rounding: StochRSI compares values that differ by no more.
  return 100 - 100 / (1 + gain / loss);
}
