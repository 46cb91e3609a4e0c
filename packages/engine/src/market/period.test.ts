import { describe, expect, test } from 'vitest';
import { candleColumns } from './candle.ts';
import { mergeCandles, PERIODS, periodStart } from './period.ts';

const MINUTE = 60_000;
const minutes = (from: number, count: number, skip: number[] = []) => {
  const kept = Array.from({ length: count }, (_, i) => from + i).filter((minute) => !skip.includes(minute));
  const columns = candleColumns(kept.length);
  kept.forEach((minute, i) => {
    columns.time[i] = minute * MINUTE;
    columns.open[i] = minute;
    columns.high[i] = minute + 2;
    columns.low[i] = minute - 1;
    columns.close[i] = minute + 1;
    columns.volume[i] = 1;
  });
  return columns;
};

describe('merging candles', () => {
  test('takes first open, highest high, lowest low, last close and summed volume', () => {
    const merged = mergeCandles(minutes(30, 10), MINUTE, PERIODS['5m']);
    expect([...merged.time]).toEqual([30 * MINUTE, 35 * MINUTE]);
    expect([merged.open[0], merged.high[0], merged.low[0], merged.close[0], merged.volume[0]]).toEqual([
      30, 36, 29, 35, 5,
    ]);
  });

  test('leaves out a first candle that begins in the middle and an unclosed last one', () => {
    const merged = mergeCandles(minutes(32, 12), MINUTE, PERIODS['5m']);
    expect([...merged.time]).toEqual([35 * MINUTE]);
  });

  test('merges over a gap inside', () => {
    const merged = mergeCandles(minutes(30, 5, [32]), MINUTE, PERIODS['5m']);
    expect([merged.length, merged.volume[0]]).toEqual([1, 4]);
  });

  test('keeps partial candles on each side of a long gap, and creates none inside it', () => {
    const skipped = Array.from({ length: 14 }, (_, i) => 33 + i);
    const { time, open, high, low, close, volume } = mergeCandles(minutes(30, 25, skipped), MINUTE, PERIODS['5m']);
    expect([...time]).toEqual([30, 45, 50].map((minute) => minute * MINUTE));
    expect([...open]).toEqual([30, 47, 50]);
    expect([...high]).toEqual([34, 51, 56]);
    expect([...low]).toEqual([29, 46, 49]);
    expect([...close]).toEqual([33, 50, 55]);
    expect([...volume]).toEqual([3, 3, 5]);
  });

  test('aligns weeks to Monday and three days to the epoch', () => {
    const wednesday = Date.UTC(2024, 0, 3, 12);
    expect(new Date(periodStart(wednesday, PERIODS['1w'])).toISOString()).toBe('2024-01-01T00:00:00.000Z');
    expect(periodStart(wednesday, PERIODS['3d']) % PERIODS['3d']).toBe(0);
  });
});
