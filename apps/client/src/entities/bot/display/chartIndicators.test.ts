import { expect, test } from 'vitest';
import { indicatorsOf, MAX_INDICATORS } from './chartIndicators.ts';

const rsi = (name: string, length: unknown) => ({ name, indicator: 'rsi', input: { length } });

test('stored indicators that this version does not know or that are out of range are left out', () => {
  const stored = [
    rsi('a', 7),
    rsi('b', 1),
    rsi('c', 'x'),
    { name: 'd', indicator: 'unknown' },
    null,
    5,
    { indicator: 'sma' },
  ];
  expect(indicatorsOf(stored).map(({ indicator, input }) => [indicator, input])).toEqual([
    ['rsi', { length: 7 }],
    ['sma', { length: 20 }],
  ]);
  expect(indicatorsOf('nonsense')).toEqual([]);
  expect(indicatorsOf(Array.from({ length: 20 }, (_, place) => rsi(`r${place}`, 7)))).toHaveLength(MAX_INDICATORS);
});
