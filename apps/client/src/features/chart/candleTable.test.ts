import type { CandleBar, CandleHistory } from '@heron/contract/bots/entities.ts';
import { describe, expect, test } from 'vitest';
import { addCandle, createCandleTable, prependCandles } from './candleTable.ts';

const MINUTE = 60_000;
const bar = (time: number, close: number): CandleBar => ({ time, open: 1, high: 3, low: 1, close, volume: 5 });

const history: CandleHistory = {
  pair: 'BTC-USDT',
  period: '1m',
  time: [0, MINUTE],
  open: [1, 2],
  high: [3, 4],
  low: [1, 1],
  close: [2, 3],
  volume: [5, 6],
  series: [{ name: 'fast', pane: 'main', kind: 'line', values: [null, 2.5] }],
};

const table = () => createCandleTable(history, MINUTE);

describe('the candles of a chart', () => {
  test('begin with the history, row by row', () => {
    expect(table().candles[1]).toEqual({ time: MINUTE, open: 2, high: 4, low: 1, close: 3, volume: 6 });
    expect(table().values).toEqual([[null], [2.5]]);
  });

  test('grow by a new candle and change with the forming one', () => {
    const one = table();
    expect(addCandle(one, { candle: bar(2 * MINUTE, 1.5), values: null })).toBe('added');
    expect(addCandle(one, { candle: bar(2 * MINUTE, 2.5), values: null })).toBe('updated');
    expect(addCandle(one, { candle: bar(2 * MINUTE, 2.75), values: [2.6] })).toBe('updated');
    expect(one.candles).toHaveLength(3);
    expect(one.candles.at(-1)?.close).toBe(2.75);
    expect(one.values.at(-1)).toEqual([2.6]);
  });

  test('keep the values of a candle that is sent again without values', () => {
    const one = table();
    addCandle(one, { candle: bar(MINUTE, 9), values: null });
    expect(one.values.at(-1)).toEqual([2.5]);
  });

  test('report a gap instead of adding a candle after it', () => {
    const one = table();
    expect(addCandle(one, { candle: bar(3 * MINUTE, 2), values: null })).toBe('gap');
    expect(one.candles).toHaveLength(2);
  });

  test('ignore candles that are older than the newest one', () => {
    const one = table();
    expect(addCandle(one, { candle: bar(0, 99), values: null })).toBe('old');
    expect(one.candles[0]?.close).toBe(2);
  });

  test('lose only the oldest when there are many more than the bot stores', () => {
    const one = table();
    const changes = new Set<string>();
    for (let row = 2; row < 20_000; row += 1) {
      changes.add(addCandle(one, { candle: bar(row * MINUTE, row), values: [row] }));
      expect(one.candles.length).toBeLessThanOrEqual(5_500);
    }
    expect([...changes]).toEqual(['added', 'cut']);
    expect(one.candles.at(-1)?.close).toBe(19_999);
    expect(one.values.at(-1)).toEqual([19_999]);
    expect(one.values).toHaveLength(one.candles.length);
    const times = one.candles.map(({ time }) => time);
    expect(times.every((time, row) => row === 0 || time - (times[row - 1] as number) === MINUTE)).toBe(true);
  });

  test('accept older ones before them, which a newer history does not remove', () => {
    const one = table();
    const older = { ...history, time: [-2 * MINUTE, -MINUTE, 0], open: [7, 8, 9], high: [7, 8, 9], low: [7, 8, 9] };
    expect(prependCandles(one, { ...older, close: [7, 8, 9], volume: [7, 8, 9], series: [] })).toBe(2);
    expect(one.candles.map(({ time, open }) => [time / MINUTE, open])).toEqual([
      [-2, 7],
      [-1, 8],
      [0, 1],
      [1, 2],
    ]);
    expect(one.values).toEqual([null, null, [null], [2.5]]);
    const later = createCandleTable({ ...history, time: [MINUTE, 2 * MINUTE] }, MINUTE, one);
    expect(later.candles.map(({ time }) => time / MINUTE)).toEqual([-2, -1, 0, 1, 2]);
    expect(later.values).toHaveLength(5);
    const apart = createCandleTable({ ...history, time: [9 * MINUTE, 10 * MINUTE] }, MINUTE, one);
    expect(apart.candles.map(({ time }) => time / MINUTE)).toEqual([9, 10]);
  });

  test('are limited when each fetched history is newer than the previous one', () => {
    const rows = 500;
    const at = (from: number): CandleHistory => {
      const time = Array.from({ length: rows }, (_, row) => (from + row) * MINUTE);
      const flat = time.map(() => 1);
      return { ...history, time, open: flat, high: flat, low: flat, close: flat, volume: flat, series: [] };
    };
    let one = createCandleTable(at(0), MINUTE);
    for (let from = 10; from <= 6_000; from += 10) one = createCandleTable(at(from), MINUTE, one);
    expect(one.candles).toHaveLength(5_000);
    expect(one.values).toHaveLength(5_000);
    expect(one.candles.at(0)?.time).toBe(1_500 * MINUTE);
    expect(one.candles.at(-1)?.time).toBe(6_499 * MINUTE);
  });

  test('lose their values when a new history has other series', () => {
    const series = [{ name: 'upper', pane: 'main', kind: 'line', values: [7, 8] }] satisfies CandleHistory['series'];
    const later = { ...history, time: [MINUTE, 2 * MINUTE] };
    expect(createCandleTable({ ...later, series }, MINUTE, table()).values).toEqual([null, [7], [8]]);
    expect(createCandleTable(later, MINUTE, table()).values).toEqual([[null], [null], [2.5]]);
  });

  test('begin empty when the bot host has none yet', () => {
    const one = createCandleTable({ ...history, time: [], open: [], high: [], low: [], close: [], volume: [] }, MINUTE);
    expect(addCandle(one, { candle: bar(7 * MINUTE, 2), values: null })).toBe('added');
  });
});
