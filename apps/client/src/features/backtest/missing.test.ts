import { expect, test } from 'vitest';
import { missingOf } from './missing.ts';

const columns = (...time: number[]) => ({ time: Float64Array.from(time), length: time.length });
const wanted = { from: 100, to: 200 };

test('no candle is missing in complete data', () => {
  expect(missingOf('A', columns(100, 110, 120, 130, 140, 150, 160, 170, 180, 190), 10, wanted, 120)).toBeNull();
});

test('a young market begins late, and gaps inside and at the end are counted', () => {
  expect(missingOf('A', columns(130, 140, 170, 180), 10, wanted, 150)).toEqual({
    pair: 'A',
    begins: 130,
    trades: 150,
    gaps: 2,
    gapMs: 30,
  });
  expect(missingOf('A', columns(), 10, wanted, null)).toEqual({
    pair: 'A',
    begins: 200,
    trades: null,
    gaps: 0,
    gapMs: 0,
  });
});
