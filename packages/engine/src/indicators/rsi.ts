import { type Ema, emaCopy, emaKeep, emaNext, rmaInit } from './ema.ts';

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
 * @see docs/indicators.md#rsi
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

/** {@link rsiNext} of many closes, from `from` to before `to`; the values go to the beginning of `values`. */
export function rsiOf(rsi: Rsi, close: Float64Array, from: number, to: number, values: Float64Array): void {
  // A copy that nobody else sees: the loop keeps its numbers in registers.
  const own = { gain: emaCopy(rsi.gain), loss: emaCopy(rsi.loss), previous: rsi.previous };
  for (let i = from; i < to; i++) values[i - from] = rsiNext(own, close[i] as number);
  emaKeep(rsi.gain, own.gain);
  emaKeep(rsi.loss, own.loss);
  rsi.previous = own.previous;
}
