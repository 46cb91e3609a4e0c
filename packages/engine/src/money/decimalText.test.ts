import { expect, test } from 'vitest';
import { decimalText, decimalUnits, differenceOf, negated, sumOf } from './decimalText.ts';

test('sums of decimals are exact at any size, unlike those of floats', () => {
  expect(sumOf(['0.1', '0.2'])).toBe('0.3');
  expect(sumOf([])).toBe('0');
  expect(sumOf(['-0.00000001', '1'])).toBe('0.99999999');
  expect(sumOf(['90071992547409.93', '0.07', '90071992547410'])).toBe('180143985094820');
  expect(sumOf(['-0.5', '-0.25'])).toBe('-0.75');
  expect(sumOf(['5', '-5.000'])).toBe('0');
});

test('a difference is exact for negative numbers too', () => {
  expect(differenceOf('10000.1', '10000')).toBe('0.1');
  expect(differenceOf('-1.25', '-0.05')).toBe('-1.2');
  expect(differenceOf('1', '0')).toBe('1');
});

test('units of 1e-8 and texts are inverse, and further digits are cut off', () => {
  for (const text of ['0', '-0.5', '123456789012345678.00000001', '-90071992547409.93']) {
    expect(decimalText(decimalUnits(text), 8)).toBe(text);
  }
  expect(decimalUnits('-0.000000019')).toBe(-1n);
});

test('the sign of a text changes, that of zero does not', () => {
  expect(['0', '1.5', '-1.5'].map(negated)).toEqual(['0', '-1.5', '1.5']);
});
