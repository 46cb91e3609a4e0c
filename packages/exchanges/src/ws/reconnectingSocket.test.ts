import { afterEach, expect, test, vi } from 'vitest';
import { ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';
import { openReconnectingSocket } from './reconnectingSocket.ts';

afterEach(() => vi.useRealTimers());

/** Counts the attempts of a socket whose address cannot be read. */
function openFailing(error: () => Error) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let attempts = 0;
  const net = { fault: () => null, pause: () => null } as unknown as VenueNet;
  const socket = openReconnectingSocket(
    {
      ...{ exchange: 'binanceusdm', net, pingMs: 3_000, ping: null },
      async url() {
        attempts += 1;
        throw error();
      },
    },
    { onOpen() {}, onMessage() {}, onClose() {}, onLost() {} },
  );
  socket.connect();
  return { socket, attempts: () => attempts };
}

const refusal = () => new ExchangeRefused('binanceusdm', 'Invalid API-key, IP, or permissions.', 'not_allowed');
const MINUTES_MS = 60_000;

test('a refused key connects a few times in five minutes, and then about once in that time', async () => {
  const { socket, attempts } = openFailing(refusal);
  await vi.advanceTimersByTimeAsync(5 * MINUTES_MS);
  expect(attempts()).toBeGreaterThan(4);
  expect(attempts()).toBeLessThanOrEqual(9);
  const before = attempts();
  await vi.advanceTimersByTimeAsync(30 * MINUTES_MS);
  expect(attempts() - before).toBeLessThanOrEqual(12);
  expect(attempts() - before).toBeGreaterThanOrEqual(5);
  socket.close();
});

test('an exchange that cannot be reached is tried every few seconds, and no retry is added to that', async () => {
  const { socket, attempts } = openFailing(() => new ExchangeUnreachable('binanceusdm', 'no answer'));
  await vi.advanceTimersByTimeAsync(MINUTES_MS);
  expect(attempts()).toBeGreaterThan(12);
  const before = attempts();
  socket.retry();
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts()).toBe(before);
  socket.close();
});

test('a retry ends the pause after a refusal and starts the pauses again', async () => {
  const { socket, attempts } = openFailing(refusal);
  await vi.advanceTimersByTimeAsync(20 * MINUTES_MS);
  const before = attempts();
  socket.retry();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(attempts() - before).toBeGreaterThanOrEqual(2);
  socket.close();
  await vi.advanceTimersByTimeAsync(5 * MINUTES_MS);
  expect(vi.getTimerCount()).toBe(0);
});
