import { expect, test } from 'vitest';
import { frameOf, linePath } from './linePath.ts';

const drawn = (ys: readonly number[]) => {
  const points = ys.map((y, x) => ({ x, y }));
  return linePath(points, frameOf(points, 100, 20, 2));
};

test('a line goes from edge to edge, its least at the bottom and its greatest at the top', () => {
  expect(drawn([5, 1, 9])).toBe('M0.0 10.0L50.0 18.0L100.0 2.0');
});

test('a level line lies in the middle, also at nothing', () => {
  expect(drawn([7, 7])).toBe('M0.0 10.0L100.0 10.0');
  expect(drawn([0, 0])).toBe('M0.0 10.0L100.0 10.0');
});
