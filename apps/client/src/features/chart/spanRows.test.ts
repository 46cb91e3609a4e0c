import { expect, test } from 'vitest';
import { spanRows } from './spanRows.ts';

const candles = [100, 200, 300].map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 0 }));

test('a position is drawn from the candle of its entry to that of its exit', () => {
  expect(spanRows({ candles }, { from: 120, to: 310 })).toEqual({ from: 0, to: 2 });
  expect(spanRows({ candles }, { from: 200, to: 250 })).toEqual({ from: 1, to: 1 });
  // The part before the oldest candle is cut.
  expect(spanRows({ candles }, { from: 20, to: 200 })).toEqual({ from: 0, to: 1 });
  expect(spanRows({ candles }, { from: 20, to: 90 })).toBeNull();
});
