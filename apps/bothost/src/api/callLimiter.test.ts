import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallLimiter } from './callLimiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('each caller has a number of calls per minute, and a rejection says when to retry', async () => {
  const take = createCallLimiter(2);
  await take('a');
  vi.advanceTimersByTime(30_000);
  await take('a');
  await take('b');
  await expect(take('a')).rejects.toMatchObject({ code: 'too_many_requests', details: { seconds: 30 } });
  await take('b');
  vi.advanceTimersByTime(30_000);
  await take('a');
});
