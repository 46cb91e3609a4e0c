import { expect, test } from 'vitest';
import { createIncomingBudgets } from './incomingBudget.ts';

const MIB = 1_048_576;

test('all streams of one user share 8 MiB a second, and users have separate budgets', () => {
  let now = 0;
  const budgets = createIncomingBudgets(() => now);
  const lines = Array.from({ length: 150 }, () => budgets.of(1));
  const taken = () => lines.filter((spend) => spend(MIB)).length;
  expect(taken()).toBe(16);
  now += 1_000;
  expect(taken()).toBe(8);
  expect(budgets.of(2)(16 * MIB)).toBe(true);
  // Deleted budgets were full, so a pause gains nothing.
  now += 60_000;
  expect(budgets.of(3)(1)).toBe(true);
  expect(taken()).toBe(16);
});

test('small messages are counted too', () => {
  const budgets = createIncomingBudgets(() => 0);
  let taken = 0;
  while (budgets.of(1)(10)) taken++;
  expect(taken).toBe(10_000);
});
