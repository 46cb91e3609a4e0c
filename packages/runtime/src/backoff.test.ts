import { afterEach, expect, test, vi } from 'vitest';
import { createBackoff, retryWithBackoff } from './backoff.ts';

afterEach(() => void vi.useRealTimers());

/** Almost 1, the largest value of `Math.random`. */
const HIGH = () => 1 - Number.EPSILON;
const LOW = () => 0;

test('each delay is at most twice the one before, up to the maximum', () => {
  const backoff = createBackoff({ minMs: 100, maxMs: 500, random: HIGH });
  expect(Array.from({ length: 5 }, () => Math.round(backoff.nextMs()))).toEqual([100, 200, 400, 500, 500]);
});

test('a delay is at least half of its limit', () => {
  const backoff = createBackoff({ minMs: 100, maxMs: 500, random: LOW });
  expect(Array.from({ length: 4 }, () => backoff.nextMs())).toEqual([50, 100, 200, 250]);
});

test('delays differ between loops that start at the same instant', () => {
  const delays = Array.from({ length: 20 }, () => createBackoff({ minMs: 1_000, maxMs: 1_000 }).nextMs());
  expect(new Set(delays).size).toBeGreaterThan(1);
});

test('a reset starts again at the first delay', () => {
  const backoff = createBackoff({ minMs: 100, maxMs: 500, random: LOW });
  backoff.nextMs();
  backoff.nextMs();
  backoff.reset();
  expect(backoff.nextMs()).toBe(50);
});

test('a wait ends at once when its signal aborts', async () => {
  const stop = new AbortController();
  const waiting = createBackoff({ minMs: 3_600_000, maxMs: 3_600_000 }).wait(stop.signal);
  stop.abort();
  await waiting;
  await createBackoff({ minMs: 3_600_000, maxMs: 3_600_000 }).wait(stop.signal);
});

test('a wait lasts for its delay', async () => {
  vi.useFakeTimers();
  let over = false;
  void createBackoff({ minMs: 1_000, maxMs: 1_000, random: LOW })
    .wait()
    .then(() => {
      over = true;
    });
  await vi.advanceTimersByTimeAsync(499);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toBe(true);
});

test('an action is repeated until it succeeds', async () => {
  const errors: unknown[] = [];
  let tries = 0;
  const action = async () => {
    tries += 1;
    if (tries < 3) throw new Error(`failure ${tries}`);
    return tries;
  };
  const result = await retryWithBackoff(action, {
    minMs: 1,
    maxMs: 1,
    isRetryable: () => true,
    onRetry: (error) => errors.push(error),
  });
  expect(result).toBe(3);
  expect(errors.map(String)).toEqual(['Error: failure 1', 'Error: failure 2']);
});

test('an error that is not retryable rejects at once', async () => {
  let tries = 0;
  const action = async () => {
    tries += 1;
    throw new TypeError('a fault');
  };
  const options = { minMs: 1, maxMs: 1, isRetryable: (error: unknown) => !(error instanceof TypeError) };
  await expect(retryWithBackoff(action, options)).rejects.toThrow('a fault');
  expect(tries).toBe(1);
});

test('retries end when the signal aborts', async () => {
  const stop = new AbortController();
  let tries = 0;
  const action = async () => {
    tries += 1;
    throw new Error('unavailable');
  };
  const retrying = retryWithBackoff(action, {
    minMs: 3_600_000,
    maxMs: 3_600_000,
    isRetryable: () => true,
    onRetry: () => queueMicrotask(() => stop.abort()),
    signal: stop.signal,
  });
  await expect(retrying).rejects.toThrow('unavailable');
  expect(tries).toBe(1);
});
