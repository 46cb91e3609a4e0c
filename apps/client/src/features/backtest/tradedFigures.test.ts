import { SCALE } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { tradedFigures } from './tradedFigures.ts';

const DAY = 86_400_000;

/** A run with one step a day: `flat` days of warm-up, then a result for each day. */
function runOf(flat: number, results: readonly number[], heldDays: number) {
  const days = flat + results.length;
  let total = 1_000;
  const equity = Float64Array.from({ length: days }, (_, day) => {
    total *= 1 + (results[day - flat] ?? 0);
    return Math.round(total * SCALE);
  });
  const time = Float64Array.from({ length: days }, (_, day) => day * DAY);
  const document = { to: days * DAY, equity: { start: 1_000, end: total }, metrics: { exposure: heldDays / days } };
  return { time, equity, document };
}

const RESULTS = [0.01, -0.02, 0.03, 0, 0.01, -0.01, 0.02];

test('figures of the traded time do not depend on the length of the warm-up', () => {
  const alone = tradedFigures(runOf(0, RESULTS, 7), 0);
  const warmed = tradedFigures(runOf(63, RESULTS, 7), 63 * DAY);
  expect(warmed.annualReturn).toBeCloseTo(alone.annualReturn, 8);
  expect(warmed.sharpe).toBeCloseTo(alone.sharpe, 8);
  expect(warmed.sortino).toBeCloseTo(alone.sortino ?? Number.NaN, 8);
  expect(warmed.exposure).toBe(1);
});

test('a year that gains five percent has an annual return of five percent', () => {
  const results = Array.from({ length: 365 }, (_, day) => (day === 100 ? 0.05 : 0));
  expect(tradedFigures(runOf(30, results, 73), 30 * DAY)).toMatchObject({
    annualReturn: expect.closeTo(0.05, 8),
    sortino: null,
    exposure: expect.closeTo(0.2, 8),
  });
});
