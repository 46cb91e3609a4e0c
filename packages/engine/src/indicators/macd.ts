import { type Ema, emaInit, emaNext } from './ema.ts';

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

/** MACD: `EMA(fast) − EMA(slow)`, its EMA seeded from its own first values, and the difference. @see strategies.md 2 */
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
