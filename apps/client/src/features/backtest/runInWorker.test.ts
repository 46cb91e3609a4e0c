import { afterEach, expect, test, vi } from 'vitest';
import { runInWorker } from './runInWorker.ts';

afterEach(() => vi.unstubAllGlobals());

/** Replaces workers by ones that never post a message, as a worker that is still running. */
function stubWorkers() {
  const states: string[] = [];
  vi.stubGlobal(
    'Worker',
    class {
      readonly at = states.push('made') - 1;
      postMessage() {
        states[this.at] = 'works';
      }
      terminate() {
        states[this.at] = 'ended';
      }
    },
  );
  return states;
}

const nothing = { pairs: [], options: {}, params: {} } as unknown as Parameters<typeof runInWorker>[0];

test('a run that is cancelled before its start does not start', async () => {
  const workers = stubWorkers();
  await expect(runInWorker(nothing, AbortSignal.abort(), () => {})).rejects.toThrow('aborted');
  expect(workers).toEqual([]);
});

test('a run that is cancelled ends its worker', async () => {
  const workers = stubWorkers();
  const stop = new AbortController();
  const run = runInWorker(nothing, stop.signal, () => {});
  expect(workers).toEqual(['works']);
  stop.abort();
  await expect(run).rejects.toThrow('aborted');
  expect(workers).toEqual(['ended']);
});
