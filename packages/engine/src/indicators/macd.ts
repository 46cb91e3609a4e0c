import { type Ema, emaCopy, emaInit, emaKeep, emaNext } from './ema.ts';

export interface Macd {
  fast: Ema;
  slow: Ema;
  signal: Ema;
  /** Newest values; NaN while undefined. */
  line: number;
  signalLine: number;
  histogram: number;
}

export function macdInit(fast: number, slow: number, signal: number): Macd {
  return {
    fast: emaInit(fast),
    slow: emaInit(slow),
    signal: emaInit(signal),
    line: Number.NaN,
    signalLine: Number.NaN,
    histogram: Number.NaN,
  };
}

/** Computes the MACD line `EMA(fast) − EMA(slow)`, its EMA as signal line, and the histogram. @see docs/indicators.md#macd */
export function macdNext(macd: Macd, close: number): void {
  const line = emaNext(macd.fast, close) - emaNext(macd.slow, close);
  if (Number.isNaN(line)) {
    macd.line = line;
    return;
  }
  const signalLine = emaNext(macd.signal, line);
  // The values are stored at the end and not read back, since reading a value right after its store is slower than computing it.
  macd.line = line;
  macd.signalLine = signalLine;
  macd.histogram = line - signalLine;
}

/** Writes the histograms of the closes from `from` to before `to` to the start of `histograms`, as {@link macdNext} computes them. */
export function macdOf(macd: Macd, close: Float64Array, from: number, to: number, histograms: Float64Array): void {
  const { line, signalLine, histogram } = macd;
  // V8 keeps the numbers of a copy without other references in registers.
  const fast = emaCopy(macd.fast);
  const slow = emaCopy(macd.slow);
  const signal = emaCopy(macd.signal);
  const own = { fast, slow, signal, line, signalLine, histogram };
  for (let i = from; i < to; i++) {
    macdNext(own, close[i] as number);
    histograms[i - from] = own.histogram;
  }
  emaKeep(macd.fast, fast);
  emaKeep(macd.slow, slow);
  emaKeep(macd.signal, signal);
  macd.line = own.line;
  macd.signalLine = own.signalLine;
  macd.histogram = own.histogram;
}
