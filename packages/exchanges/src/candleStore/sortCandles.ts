import { type CandleColumns, candleColumns, sliceCandles } from '@heron/engine/market/candle.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles in order of time, each time once. */
export interface SortedCandles {
  readonly candles: CandleColumns;
  /** Rows that stood behind a later one. */
  readonly disordered: number;
  /** Rows left out because another of their time came after them: the same again, or with other numbers. */
  readonly doubled: number;
  readonly contradicting: number;
}

/** Puts candles in order; of several of one time the last counts. The very same columns when there is nothing to do. */
export function sortCandles(candles: CandleColumns): SortedCandles {
  const { time, length } = candles;
  let disordered = 0;
  let repeated = false;
  let latest = Number.NEGATIVE_INFINITY;
  for (const open of time) {
    if (open < latest) disordered += 1;
    else if (open === latest) repeated = true;
    else latest = open;
  }
  if (disordered === 0 && !repeated) return { candles, disordered, doubled: 0, contradicting: 0 };
  const rows = Uint32Array.from({ length }, (_, i) => i);
  // The sort is stable: rows of one time stay in the order of the file.
  if (disordered > 0) rows.sort((a, b) => (time[a] as number) - (time[b] as number));
  const ordered = candleColumns(length);
  let kept = 0;
  let doubled = 0;
  let contradicting = 0;
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    if (next !== undefined && time[next] === time[row]) {
      if (COLUMNS.every((name) => candles[name][row] === candles[name][next])) doubled += 1;
      else contradicting += 1;
      continue;
    }
    for (const name of COLUMNS) ordered[name][kept] = candles[name][row] as number;
    kept += 1;
  }
  return { candles: sliceCandles(ordered, 0, kept), disordered, doubled, contradicting };
}
