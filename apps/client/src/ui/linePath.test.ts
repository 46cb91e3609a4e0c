import { expect, test } from 'vitest';
import { frameOf, linePath } from './linePath.ts';

const drawn = (ys: readonly number[], span = 0) => {
  const points = ys.map((y, x) => ({ x, y }));
  return linePath(points, frameOf(points, { width: 100, height: 20, margin: 2, span }));
};

test('a line goes from edge to edge, its least at the bottom and its greatest at the top', () => {
  expect(drawn([5, 1, 9])).toBe('M0.0 10.0L50.0 18.0L100.0 2.0');
});

test('what moves less than the span is drawn so much flatter, in the middle', () => {
  expect(drawn([100, 102], 8)).toBe('M0.0 12.0L100.0 8.0');
  expect(drawn([100, 116], 8)).toBe('M0.0 18.0L100.0 2.0');
});

test('a level line lies in the middle, also at nothing', () => {
  expect(drawn([7, 7])).toBe('M0.0 10.0L100.0 10.0');
  expect(drawn([0, 0])).toBe('M0.0 10.0L100.0 10.0');
});
