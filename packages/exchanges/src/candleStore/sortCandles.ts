import { type CandleColumns, candleColumns, sliceCandles } from '@heron/engine/market/candle.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles in order of time, without duplicates. */
export interface SortedCandles {
  readonly candles: CandleColumns;
  /** Number of rows that followed a later one. */
  readonly disordered: number;
  /** Number of rows that a later row of the same time replaced: with equal values, or with others. */
  readonly doubled: number;
  readonly contradicting: number;
}

/** Sorts candles; the last one of each time counts. Returns the same columns when they are sorted already. */
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
