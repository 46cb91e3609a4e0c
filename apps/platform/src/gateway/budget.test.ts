import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';

test('a budget allows a burst, then its rate, and never saves more than the burst', () => {
  let now = 0;
  const spend = createBudget({ perSecond: 20, atOnce: 40 }, () => now);
  const inARow = (amount: number) => {
    let times = 0;
    while (spend(amount)) times++;
    return times;
  };
  expect(inARow(1)).toBe(40);
  now += 1_000;
  expect(inARow(1)).toBe(20);
  now += 60_000;
  expect(inARow(1)).toBe(40);
});

test('an amount above the budget is rejected and costs nothing', () => {
  const spend = createBudget({ perSecond: 1, atOnce: 10 }, () => 0);
  expect(spend(11)).toBe(false);
  expect(spend(10)).toBe(true);
  expect(spend(1)).toBe(false);
});
