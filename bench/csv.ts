import { type CandleColumns, sliceCandles } from '@heron/engine/market/candle.ts';
import { parseCandleCsv } from '@heron/exchanges/candles/csv.ts';

/** A candle file as exchanges publish them. */
export function csvOf(candles: CandleColumns): Uint8Array {
  const lines = ['timestamp_ms,open,high,low,close,volume'];
  for (let i = 0; i < candles.length; i++) {
    const prices = [candles.open[i], candles.high[i], candles.low[i], candles.close[i], candles.volume[i]];
    lines.push(`${candles.time[i]},${prices.map((value) => (value as number).toFixed(2)).join(',')}`);
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Reads and checks with the parser of `heron backtest`. @returns the sum of the closes */
export function readOwn(bytes: Uint8Array): number {
  const { candles, bad } = parseCandleCsv(bytes);
  if (bad.length > 0) throw new Error(`line ${bad[0]?.line}: ${bad[0]?.reason}`);
  return sumOf(candles.close);
}

/**
 * Reads csv as a first version would: split by line, split by comma, `Number`, without checks.
 *
 * @returns the sum of the closes
 */
export function readNaive(bytes: Uint8Array): number {
  const rows = new TextDecoder().decode(bytes).trimEnd().split('\n').slice(1);
  return sumOf(rows.map((row) => row.split(',').map(Number)[4] as number));
}

/** The sum of the first `length` closes. */
export function sumOfCloses(candles: CandleColumns, length: number): number {
  return sumOf(sliceCandles(candles, 0, length).close);
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
