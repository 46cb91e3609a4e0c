import { expect, test } from 'vitest';
import { createCandleLog, logCandle, valuesOf } from './candleLog.ts';

const candle = (time: number) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });

test('a log keeps the newest candles with their values, and null where there is none', () => {
  const log = createCandleLog();
  for (let time = 1; time <= 1_000; time++) {
    logCandle(log, candle(time), new Float64Array([time, -time, Number.NaN]), 50);
    const newest = log.candles.length - 1;
    expect(log.candles[newest]?.time).toBe(time);
    for (const [index, { time: at }] of log.candles.entries()) expect(valuesOf(log, index)).toEqual([at, -at, null]);
  }
  expect(log.candles.map(({ time }) => time)).toEqual(Array.from({ length: 50 }, (_, n) => 951 + n));
  expect(log.values.length).toBeLessThan(50 * 3 * 1.5);
});

test('a strategy without values has a log of candles', () => {
  const log = createCandleLog();
  for (let time = 1; time <= 100; time++) logCandle(log, candle(time), new Float64Array(), 50);
  expect(log.candles).toHaveLength(50);
  expect(valuesOf(log, 49)).toEqual([]);
});
