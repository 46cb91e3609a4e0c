import { expect, test } from 'vitest';
import { mayDelete } from './ranks.ts';

test.each([
  [1, 2],
  [1, 4],
  [1, null],
  [2, 3],
  [3, 4],
  [3, null],
])('the group %s may delete the group %s', (own, theirs) => {
  expect(mayDelete(own, theirs)).toBe(true);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 3],
  [3, 2],
  [4, null],
  [null, null],
])('the group %s may not delete the group %s', (own, theirs) => {
  expect(mayDelete(own, theirs)).toBe(false);
});
