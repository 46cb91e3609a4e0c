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

/** MACD: `EMA(fast) − EMA(slow)`, its EMA seeded from its own first values, and the difference. @see docs/indicators.md#macd */
export function macdNext(macd: Macd, close: number): void {
  const line = emaNext(macd.fast, close) - emaNext(macd.slow, close);
  if (Number.isNaN(line)) {
    macd.line = line;
    return;
  }
  const signalLine = emaNext(macd.signal, line);
  // Stored at the end and never read back: a number that was just stored takes longer to fetch than to work out.
  macd.line = line;
  macd.signalLine = signalLine;
  macd.histogram = line - signalLine;
}

/** Histogram by {@link macdNext} of many closes, from `from` to before `to`; it goes to the beginning of `histograms`. */
export function macdOf(macd: Macd, close: Float64Array, from: number, to: number, histograms: Float64Array): void {
  const { line, signalLine, histogram } = macd;
  // A copy that nobody else sees: the loop keeps its numbers in registers.
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
