import { expect, test } from 'vitest';
import { openRateBudget } from './rateBudget.ts';

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

test('requests use their share of a minute, and then wait for the next minute', async () => {
  const { budget, waited } = desk(10_000);
  for (let i = 0; i < 9; i++) await budget.acquire(10, 'account');
  expect(waited).toEqual([]);
  await budget.acquire(10, 'account');
  expect(waited).toEqual([MINUTE - 10_000]);
});

test('reads leave capacity for the account, and the account for orders', async () => {
  const { budget, waited } = desk();
  await budget.acquire(70, 'read');
  await budget.acquire(20, 'account');
  await budget.acquire(5, 'order');
  expect(waited).toEqual([]);
  await budget.acquire(10, 'read');
  expect(waited).toEqual([MINUTE]);
});

test('an order does not wait for long, because its prices would be outdated', async () => {
  const { budget, pass } = desk();
  await budget.acquire(90, 'account');
  await expect(budget.acquire(10, 'order')).rejects.toMatchObject({ kind: 'rate_limited', retryAt: MINUTE });
  pass(MINUTE - 500);
  await budget.acquire(10, 'order');
});

test('the weight of other programs on the address counts, as the venue reports it', async () => {
  const { budget, waited } = desk();
  budget.onResponse(200, used(85));
  await budget.acquire(10, 'account');
  expect(waited).toEqual([MINUTE]);
});

test.each([429, 418])('after %i nothing is sent before the time that the venue gave', async (status) => {
  const { budget, pass } = desk();
  budget.onResponse(status, new Headers({ 'retry-after': '120' }));
  await expect(budget.acquire(1, 'order')).rejects.toMatchObject({ kind: 'rate_limited', retryAt: 120_000 });
  expect(budget.retryAt()).toBe(120_000);
  pass(120_000);
  await budget.acquire(1, 'order');
  expect(budget.retryAt()).toBeNull();
});

test('processes on one address learn from their responses to stay below its limit', async () => {
  let now = 0;
  const time = {
    now: () => now,
    async wait(ms: number) {
      now += ms;
    },
  };
  const processes = [1, 2, 3].map(() => openRateBudget('binance', { weight: 100, header: 'x-used' }, time));
  /** Weight that the exchange has counted in each minute. */
  const counted = new Map<number, number>();
  for (let i = 0; i < 300; i++) {
    const budget = processes[i % 3] as (typeof processes)[number];
    await budget.acquire(2, 'order').catch(() => {
      // An order is not held back for long; the next minute takes it.
      now += MINUTE - (now % MINUTE);
      return budget.acquire(2, 'order');
    });
    const minute = Math.floor(now / MINUTE);
    counted.set(minute, (counted.get(minute) ?? 0) + 2);
    budget.onResponse(200, used(counted.get(minute) ?? 0));
    now += 100;
  }
  expect(Math.max(...counted.values())).toBeLessThanOrEqual(100);
  // Without the responses each would have used all of it.
  expect(Math.max(...counted.values())).toBeGreaterThan(90);
});
