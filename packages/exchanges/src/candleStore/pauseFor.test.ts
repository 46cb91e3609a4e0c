import { pauseFor } from '@heron/exchanges/candleStore/pauseFor.ts';
import { expect, onTestFinished, test, vi } from 'vitest';

test('a pause longer than one timer of Node lasts to its end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ended = vi.fn();
  void pauseFor(2 ** 33, new AbortController().signal).then(ended);
  await vi.advanceTimersByTimeAsync(2 ** 33 - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('a pause ends when it is stopped', async () => {
  const stop = new AbortController();
  const pause = pauseFor(2 ** 33, stop.signal);
  stop.abort();
  await pause;
  await pauseFor(2 ** 33, stop.signal);
});
