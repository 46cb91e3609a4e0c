import { expect, test } from 'vitest';
import { columnsOf } from './columnChoice.ts';

test('a choice of columns keeps its order and its pair, and unknown columns are ignored', () => {
  expect(columnsOf(['fees', 'net', 'colour'])).toEqual(['pair', 'net', 'fees']);
  expect(columnsOf([])).toEqual(['pair']);
  expect(columnsOf(null)).toContain('percent');
  expect(columnsOf('net')).toContain('reason');
});
