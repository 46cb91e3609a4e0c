import { expect, test } from 'vitest';
import { openRateBudget } from '../src/rateBudget.ts';

const MINUTE = 60_000;

/** A budget of 100 a minute on a clock that only waiting moves. */
function desk(start = 0) {
  const waited: number[] = [];
  let now = start;
  const budget = openRateBudget(
    'binance',
    { weight: 100, header: 'x-used' },
    {
      now: () => now,
      async wait(ms) {
        waited.push(ms);
        now += ms;
      },
    },
  );
  return { budget, waited, pass: (ms: number) => (now += ms) };
}

const used = (weight: number) => new Headers({ 'x-used': String(weight) });

test('requests pass until their share of a minute is used, and then wait for the next minute', async () => {
  const { budget, waited } = desk(10_000);
  for (let i = 0; i < 9; i++) await budget.take(10, 'account');
  expect(waited).toEqual([]);
  await budget.take(10, 'account');
  expect(waited).toEqual([MINUTE - 10_000]);
});

test('reads leave room for the account, and the account for orders', async () => {
  const { budget, waited } = desk();
  await budget.take(70, 'read');
  await budget.take(20, 'account');
  await budget.take(5, 'order');
  expect(waited).toEqual([]);
  await budget.take(10, 'read');
  expect(waited).toEqual([MINUTE]);
});

test('an order does not wait for long: it was decided on the prices of now', async () => {
  const { budget, pass } = desk();
  await budget.take(90, 'account');
  await expect(budget.take(10, 'order')).rejects.toMatchObject({ kind: 'rate_limited', retryAt: MINUTE });
  pass(MINUTE - 500);
  await budget.take(10, 'order');
});

test('what others use on the same address counts, as the venue tells it', async () => {
  const { budget, waited } = desk();
  budget.learn(200, used(85));
  await budget.take(10, 'account');
  expect(waited).toEqual([MINUTE]);
});

test.each([429, 418])('after %i nothing is sent before the time that the venue gave', async (status) => {
  const { budget, pass } = desk();
  budget.learn(status, new Headers({ 'retry-after': '120' }));
  await expect(budget.take(1, 'order')).rejects.toMatchObject({ kind: 'rate_limited', retryAt: 120_000 });
  expect(budget.retryAt()).toBe(120_000);
  pass(120_000);
  await budget.take(1, 'order');
  expect(budget.retryAt()).toBeNull();
});
