import { ExchangeRefused, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { expect, test } from 'vitest';
import { openKeyPermissionCheck } from './keyPermissionCheck.ts';

const SECOND = 1_000;
const refused = new ExchangeRefused('binance', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');
const restricted = new ExchangeRefused('binance', 'This symbol is not permitted for this account.', 'other');

function doubt() {
  const clock = { now: 1_000_000 };
  const key = openKeyPermissionCheck(() => clock.now);
  let reads = 0;
  return {
    clock,
    key,
    reads: () => reads,
    /** Checks a key with this permission to trade; null when it cannot be read. */
    check: (trade: boolean | null, wasRefused = false) =>
      key.isAccepted(
        {
          async permissions() {
            reads += 1;
            if (trade === null) throw new ExchangeUnreachable('binance', 'not now');
            return { trade, withdraw: false, ipRestricted: true };
          },
        },
        wasRefused,
      ),
  };
}

test('a key without rejected orders is accepted without a request', async () => {
  const { key, check, reads } = doubt();
  expect(key.failed(restricted)).toBe(false);
  expect([await check(true), reads(), key.refusal()]).toEqual([true, 0, null]);
});

test('a key stays rejected while its permissions are unknown', async () => {
  const { key, check } = doubt();
  expect([key.failed(refused), key.failed(refused)]).toEqual([true, false]);
  expect(await check(null)).toBe(false);
  expect(await check(false)).toBe(false);
  expect(key.refusal()).toBe(refused);
  expect(await check(true)).toBe(true);
  expect(key.refusal()).toBeNull();
});

test('a bot that was rejected before a restart requests the permissions', async () => {
  const { check, reads } = doubt();
  expect([await check(false, true), await check(true, true), reads()]).toEqual([false, true, 2]);
});

test('a key whose orders are rejected despite its permissions is retried less often', async () => {
  const { key, check, clock } = doubt();
  const times: number[] = [];
  for (const end = clock.now + 7_200 * SECOND; clock.now < end; clock.now += 5 * SECOND) {
    if (key.refusal() === null) {
      times.push(clock.now);
      expect(key.failed(refused)).toBe(true);
    }
    await check(true);
  }
  expect(times.length).toBeLessThan(15);
  const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / SECOND);
  expect(waits.slice(0, 4)).toEqual([5, 65, 245, 905]);
});

test('an accepted order makes a key valid at once', async () => {
  const { key, check, reads } = doubt();
  key.failed(refused);
  key.worked();
  expect([key.refusal(), await check(null, true), reads()]).toEqual([null, true, 0]);
});
