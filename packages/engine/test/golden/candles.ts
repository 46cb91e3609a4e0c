import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared', 'data');

/** The real candles that golden runs are made with, or one line that says what is missing. */
export function realCandles(file: string): CandleColumns {
  let text: string;
  try {
    text = gunzipSync(readFileSync(path.join(FOLDER, file))).toString('latin1');
  } catch (cause) {
    throw new Error(`golden runs need the candles ${path.join(FOLDER, file)}`, { cause });
  }
  const rows = text.trimEnd().split('\n').slice(1);
  const candles = candleColumns(rows.length);
  const { time, open, high, low, close, volume } = candles;
  rows.forEach((row, i) => {
    [time[i], open[i], high[i], low[i], close[i], volume[i]] = row.split(',').map(Number) as [
      ...[number, number, number],
      ...[number, number, number],
    ];
  });
  return candles;
}

/** The same candles as if they had begun at `start`. */
export function movedTo(candles: CandleColumns, start: number): CandleColumns {
  const by = start - (candles.time[0] as number);
  return { ...candles, time: candles.time.map((time) => time + by) };
}

/** Leaves out `length` candles in every `every`, from the `from`th on: gaps as when an exchange was away. */
export function withGaps(candles: CandleColumns, every: number, length: number, from: number): CandleColumns {
  const kept = Array.from(candles.time.keys()).filter((i) => i < from || (i - from) % every >= length);
  const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i] as number);
  const { time, open, high, low, close, volume } = candles;
  return {
    length: kept.length,
    time: pick(time),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    volume: pick(volume),
  };
}
