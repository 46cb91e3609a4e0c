import { expect, test } from 'vitest';
import { frameOf, linePath } from './linePath.ts';

const drawn = (ys: readonly number[], span = 0) => {
  const points = ys.map((y, x) => ({ x, y }));
  return linePath(points, frameOf(points, { width: 100, height: 20, margin: 2, span }));
};

test('a line spans the width, its minimum at the bottom and its maximum at the top', () => {
  expect(drawn([5, 1, 9])).toBe('M0.0 10.0L50.0 18.0L100.0 2.0');
});

test('a line with a range below the span is flatter, in the middle', () => {
  expect(drawn([100, 102], 8)).toBe('M0.0 12.0L100.0 8.0');
  expect(drawn([100, 116], 8)).toBe('M0.0 18.0L100.0 2.0');
});

test('a level line is in the middle, even at zero', () => {
  expect(drawn([7, 7])).toBe('M0.0 10.0L100.0 10.0');
  expect(drawn([0, 0])).toBe('M0.0 10.0L100.0 10.0');
});
