import type { CandleColumns } from '@heron/engine/market/candle.ts';

/** Describes the missing candles of a pair. */
export interface Missing {
  readonly pair: string;
  /** Open time of the first candle where it is later than wanted, ms; null otherwise. */
  readonly begins: number | null;
  /** Time of the first possible trade, ms, after a warm-up with enough candles; null for never. */
  readonly trades: number | null;
  /** Number of gaps after the first candle, and their total length, ms. */
  readonly gaps: number;
  readonly gapMs: number;
}

/**
 * Returns the missing part of the wanted candles; null when all are there.
 *
 * @param trades time of the first possible trade, ms; null for never
 * @param stepMs length of a candle, ms
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
