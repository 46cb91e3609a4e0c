import type { CandleColumns } from '@heron/engine/market/candle.ts';

/** The missing part of a pair's candles. */
export interface Missing {
  readonly pair: string;
  /** When its candles begin, where that is later than wanted, ms; null otherwise. */
  readonly begins: number | null;
  /** From when on it can trade: until then too few candles are there to warm up over. ms; null when that is never. */
  readonly trades: number | null;
  /** Stretches without candles after that, and how long they are together, ms. */
  readonly gaps: number;
  readonly gapMs: number;
}

/**
 * What is missing of candles that were wanted; null when none is.
 *
 * @param trades from when on it can trade, ms; null for never
 * @param stepMs length of a candle
 * @param wanted the first open time and the end, ms
 */
export function missingOf(
  pair: string,
  { time, length }: Pick<CandleColumns, 'time' | 'length'>,
  stepMs: number,
  wanted: { readonly from: number; readonly to: number },
  trades: number | null,
): Missing | null {
  const first = time[0];
  if (first === undefined) return { pair, begins: wanted.to, trades, gaps: 0, gapMs: 0 };
  const begins = first >= wanted.from + stepMs ? first : null;
  let [gaps, gapMs, next] = [0, 0, first];
  for (const at of [...time.subarray(0, length), wanted.to]) {
    if (at >= next + stepMs) {
      gaps += 1;
      gapMs += at - next;
    }
    next = at + stepMs;
  }
  return begins === null && gaps === 0 ? null : { pair, begins, trades, gaps, gapMs };
}
