import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correlationsOf, MIN_COMMON_DAYS } from './correlation.ts';

const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const returnsOf = (bot: string, value: number[], from = 0) => ({
  ...{ bot, day: value.map((_, index) => dayOf(from + index)), value },
});
const series = fc.array(
  fc.integer({ min: -1_000, max: 1_000 }).map((basis) => basis / 1e4),
  {
    ...{ minLength: MIN_COMMON_DAYS, maxLength: 60 },
  },
);

test('a bot correlates fully with its double, inversely with its mirror, and not with a bot that stands still', () => {
  fc.assert(
    fc.property(
      series.filter((values) => new Set(values).size > 1),
      (values) => {
        const found = correlationsOf([
          returnsOf('aaaaaa', values),
          returnsOf(
            'bbbbbb',
            values.map((value) => 3 * value + 0.01),
          ),
          returnsOf(
            'cccccc',
            values.map((value) => -value),
          ),
          returnsOf(
            'dddddd',
            values.map(() => 0.02),
          ),
        ]);
        expect(found.map(({ bots }) => bots.join(' '))).toEqual(
          expect.arrayContaining(['aaaaaa bbbbbb', 'aaaaaa cccccc', 'bbbbbb cccccc']),
        );
        expect(found).toHaveLength(3);
        const [first, ...rest] = found;
        expect(first).toMatchObject({ bots: ['aaaaaa', 'bbbbbb'], days: values.length });
        expect(first?.value).toBeCloseTo(1, 9);
        for (const { value } of rest) expect(value).toBeCloseTo(-1, 9);
      },
    ),
  );
});

test('the coefficient is that of the textbook', () => {
  const a = Array.from({ length: 24 }, (_, index) => Math.sin(index));
  const b = Array.from({ length: 24 }, (_, index) => Math.sin(index + 1));
  const n = a.length;
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  const ab = sum(a.map((value, index) => value * (b[index] ?? 0)));
  const [aa, bb] = [sum(a.map((value) => value ** 2)), sum(b.map((value) => value ** 2))];
  const expected = (n * ab - sum(a) * sum(b)) / Math.sqrt((n * aa - sum(a) ** 2) * (n * bb - sum(b) ** 2));
  const [found] = correlationsOf([returnsOf('aaaaaa', a), returnsOf('bbbbbb', b)]);
  expect(found?.value).toBeCloseTo(expected, 12);
});

test('only common days count, and fewer than twenty are too few', () => {
  const values = Array.from({ length: 30 }, (_, index) => (index % 7) / 100);
  const late = (from: number) => correlationsOf([returnsOf('aaaaaa', values), returnsOf('bbbbbb', values, from)]);
  expect(late(10)).toMatchObject([{ days: 20 }]);
  expect(late(11)).toEqual([]);
});
