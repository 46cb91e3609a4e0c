import { type CandleColumns, candleColumns, sliceCandles } from '@heron/engine/market/candle.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Merged candles of two sources. */
export interface Merged {
  readonly candles: CandleColumns;
  /** Number of times that only `newer` has. */
  readonly added: number;
  /** Number of times whose prices or volume differ; those of `newer` count. */
  readonly changed: number;
}

/** Merges two sources in order of time. Of two candles of one time that of `newer` counts. */
export function mergedColumns(older: CandleColumns, newer: CandleColumns): Merged {
  if (newer.length === 0) return { candles: older, added: 0, changed: 0 };
  const whole = candleColumns(older.length + newer.length);
  let length = 0;
  let added = 0;
  let changed = 0;
  let i = 0;
  let j = 0;
  while (i < older.length || j < newer.length) {
    const before = timeAt(older, i);
    const after = timeAt(newer, j);
    const taken = after <= before ? newer : older;
    const start = taken === newer ? j : i;
    // Runs are copied at once, because one source usually follows the other.
    const end = after === before ? start + 1 : endOfRun(taken, start, Math.max(before, after));
    for (const name of COLUMNS) whole[name].set(taken[name].subarray(start, end), length);
    length += end - start;
    if (taken === older) {
      i = end;
      continue;
    }
    j = end;
    if (after !== before) added += end - start;
    else {
      if (COLUMNS.some((name) => older[name][i] !== newer[name][start])) changed += 1;
      i += 1;
    }
  }
  return { candles: sliceCandles(whole, 0, length), added, changed };
}

function timeAt({ time, length }: CandleColumns, index: number): number {
  return index < length ? (time[index] as number) : Number.POSITIVE_INFINITY;
}

/** Returns the index after the candles from `start` on whose time is before `limit`, ms. The candle at `start` is included. */
function endOfRun({ time, length }: CandleColumns, start: number, limit: number): number {
  let end = start + 1;
  while (end < length && (time[end] as number) < limit) end += 1;
  return end;
}
