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
  const fast = emaNext(macd.fast, close);
  const slow = emaNext(macd.slow, close);
  macd.line = fast - slow;
  if (Number.isNaN(macd.line)) return;
  macd.signalLine = emaNext(macd.signal, macd.line);
  macd.histogram = macd.line - macd.signalLine;
}
