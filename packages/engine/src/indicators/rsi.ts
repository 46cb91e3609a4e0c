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
 * Computes Wilder's RSI: `100 − 100/(1 + RMA(gain)/RMA(loss))`; loss 0 gives 100, both 0 give 50.
 *
 * @returns 0–100, NaN before index `length`
 * @see docs/indicators.md#rsi
 */
export function rsiNext(rsi: Rsi, close: number): number {
  const change = close - rsi.previous;
  rsi.previous = close;
  if (Number.isNaN(change)) return Number.NaN;
  // This computes max(change, 0) exactly, without a branch that the processor cannot predict.
  const size = Math.abs(change);
  const gain = emaNext(rsi.gain, 0.5 * (size + change));
  const loss = emaNext(rsi.loss, 0.5 * (size - change));
  if (loss === 0) return gain === 0 ? 50 : 100;
  // The form 100·gain/(gain + loss) rounds differently, which matters because StochRSI compares nearly equal values.
  return 100 - 100 / (1 + gain / loss);
}

/** Writes the RSI of the closes from `from` to before `to` to the start of `values`, as {@link rsiNext} computes it. */
export function rsiOf(rsi: Rsi, close: Float64Array, from: number, to: number, values: Float64Array): void {
  // V8 keeps the numbers of a copy without other references in registers.
  const own = { gain: emaCopy(rsi.gain), loss: emaCopy(rsi.loss), previous: rsi.previous };
  for (let i = from; i < to; i++) values[i - from] = rsiNext(own, close[i] as number);
  emaKeep(rsi.gain, own.gain);
  emaKeep(rsi.loss, own.loss);
  rsi.previous = own.previous;
}
