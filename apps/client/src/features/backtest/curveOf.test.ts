import { expect, test } from 'vitest';
import { curveOf } from './curveOf.ts';

test('the curve begins at the start of trading, has few points, and its deepest fall', () => {
  const time = Float64Array.from({ length: 10_000 }, (_, i) => i);
  const equity = Float64Array.from(time, (i) => (i === 5_003 ? 25e8 : 100e8));
  const worth = curveOf({ time, equity }, 1_000);
  expect(worth.length).toBeLessThanOrEqual(402);
  expect(worth[0]).toEqual({ at: 1_000, total: 100, drawdown: 0 });
  expect(worth.at(-1)).toEqual({ at: 9_999, total: 100, drawdown: 0 });
  expect(worth.filter(({ drawdown }) => drawdown > 0)).toEqual([{ at: 5_003, total: 25, drawdown: 75 }]);
  expect(worth.map(({ at }) => at)).toEqual(worth.map(({ at }) => at).toSorted((a, b) => a - b));
});

test('there is no curve without steps', () => {
  expect(curveOf({ time: new Float64Array(0), equity: new Float64Array(0) }, 0)).toEqual([]);
});
