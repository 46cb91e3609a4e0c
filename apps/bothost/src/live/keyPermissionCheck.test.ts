import { ExchangeRefused, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { expect, test } from 'vitest';
import { openKeyPermissionCheck } from './keyPermissionCheck.ts';

const SECOND = 1_000;
const refused = new ExchangeRefused('binance', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');
const restricted = new ExchangeRefused('binance', 'This symbol is not permitted for this account.', 'other');

function doubt() {
  const clock = { now: 1_000_000 };
  const key = openKeyPermissionCheck(() => clock.now);
  let asked = 0;
  return {
    clock,
    key,
    asked: () => asked,
    /** Checks a key with this permission to trade; null when it cannot be read. */
    look: (trade: boolean | null, wasRefused = false) =>
      key.isAccepted(
        {
          async permissions() {
            asked += 1;
            if (trade === null) throw new ExchangeUnreachable('binance', 'not now');
            return { trade, withdraw: false, ipRestricted: true };
          },
        },
        wasRefused,
      ),
  };
}

test('a key without rejected orders is accepted without a request', async () => {
  const { key, look, asked } = doubt();
  expect(key.failed(restricted)).toBe(false);
  expect([await look(true), asked(), key.refusal()]).toEqual([true, 0, null]);
});

test('a key stays rejected while its permissions are unknown', async () => {
  const { key, look } = doubt();
  expect([key.failed(refused), key.failed(refused)]).toEqual([true, false]);
  expect(await look(null)).toBe(false);
  expect(await look(false)).toBe(false);
  expect(key.refusal()).toBe(refused);
  expect(await look(true)).toBe(true);
  expect(key.refusal()).toBeNull();
});

test('a bot that was rejected before a restart requests the permissions', async () => {
  const { look, asked } = doubt();
  expect([await look(false, true), await look(true, true), asked()]).toEqual([false, true, 2]);
});

test('a key whose orders are rejected despite its permissions is retried less often', async () => {
  const { key, look, clock } = doubt();
  const times: number[] = [];
  for (const end = clock.now + 7_200 * SECOND; clock.now < end; clock.now += 5 * SECOND) {
    if (key.refusal() === null) {
      times.push(clock.now);
      expect(key.failed(refused)).toBe(true);
    }
    await look(true);
  }
  expect(times.length).toBeLessThan(15);
  const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / SECOND);
  expect(waits.slice(0, 4)).toEqual([5, 65, 245, 905]);
});

test('an accepted order makes a key valid at once', async () => {
  const { key, look, asked } = doubt();
  key.failed(refused);
  key.worked();
  expect([key.refusal(), await look(null, true), asked()]).toEqual([null, true, 0]);
});
