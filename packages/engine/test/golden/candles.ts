import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared', 'data');

/** Reads the recorded candles of the golden runs; throws with a message if the file is missing. */
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

/** Shifts the candles to begin at `start`. */
export function movedTo(candles: CandleColumns, start: number): CandleColumns {
  const by = start - (candles.time[0] as number);
  return { ...candles, time: candles.time.map((time) => time + by) };
}

/** Removes `length` of every `every` candles, from index `from` on: gaps like those of an exchange outage. */
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
