import { expect, test } from 'vitest';
import { readAmount } from './amount.ts';

test('amounts are parsed as people enter them', () => {
  for (const [typed, plain] of [
    ['50', '50'],
    [' 50 ', '50'],
    ['1,000', '1000'],
    ['1,234,567.5', '1234567.5'],
    ['１００', '100'],
    ['1 000', '1000'],
  ]) {
    expect(readAmount(String(typed))).toBe(plain);
  }
});

test('invalid amounts are rejected', () => {
  for (const typed of ['', '1e3', '1.5.5', '-5', '1,00', 'abc', '1,0000', '.5']) expect(readAmount(typed)).toBeNull();
});
