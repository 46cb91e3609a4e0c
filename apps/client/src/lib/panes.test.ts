import { expect, test } from 'vitest';
import { sizeOf } from './panes.ts';

const PANE = { name: 'side', initial: 340, min: 280, max: 560 };

test.each([
  [400, 400],
  [400.6, 401],
  [1, 280],
  [9_999, 560],
  [Number.NaN, 340],
  [Number.POSITIVE_INFINITY, 340],
  ['400', 340],
  [undefined, 340],
  [{}, 340],
])('a pane with a stored size of %s px is %s px', (wanted, size) => {
  expect(sizeOf(PANE, wanted)).toBe(size);
});
