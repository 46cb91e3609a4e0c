import { expect, test } from 'vitest';
import { rowsBetween, topOf } from './useVirtualRows.ts';

const list = { count: 100_000, rowHeight: 40, opened: { row: -1, height: 0 } };

test('only rows in view and a few beside them are rendered', () => {
  expect(rowsBetween(list, -200, 400)).toEqual({ from: 0, to: 19 });
  expect(rowsBetween(list, 40_000, 40_400)).toEqual({ from: 992, to: 1_019 });
  expect(rowsBetween(list, 3_999_800, 4_000_200)).toEqual({ from: 99_987, to: 100_000 });
  expect(rowsBetween({ ...list, count: 0 }, 0, 400)).toEqual({ from: 0, to: 0 });
});

test('the content of an opened row moves the rows after it', () => {
  const opened = { ...list, opened: { row: 10, height: 400 } };
  expect([topOf(opened, 10), topOf(opened, 11)]).toEqual([400, 840]);
  // Inside of the content the opened row is the first.
  expect(rowsBetween(opened, 600, 640)).toEqual({ from: 2, to: 19 });
  expect(rowsBetween(opened, 840, 880)).toEqual({ from: 3, to: 21 });
});
