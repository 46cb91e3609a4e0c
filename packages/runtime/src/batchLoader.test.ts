import { expect, test } from 'vitest';
import { type BatchLimits, createBatchLoader } from './batchLoader.ts';

const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A loader that doubles numbers; each of its batches ends only when the test calls `finishBatches`, and 13 fails. */
function createManualLoader(limits: Partial<BatchLimits> = {}) {
  const batches: number[][] = [];
  const unfinished: (() => void)[] = [];
  const load = createBatchLoader(
    async (items: readonly number[]) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => unfinished.push(resolve));
      if (items.includes(13)) throw new Error('13 fails');
      return items.map((item) => item * 2);
    },
    { maxItems: 3, maxConcurrent: 1, failsAnyBatch: () => false, ...limits },
  );
  const finishBatches = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await macrotask();
      unfinished.shift()?.();
    }
    await macrotask();
  };
  return { load, batches, finishBatches };
}

test('a call that is alone runs at once, later calls share batches', async () => {
  const { load, batches, finishBatches } = createManualLoader();
  const first = load(1);
  await Promise.resolve();
  expect(batches).toEqual([[1]]);
  const others = [2, 3, 4, 5].map((item) => load(item));
  await finishBatches(3);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8, 10]);
});

test('an item that fails does not fail the other items of its batch', async () => {
  const { load, finishBatches } = createManualLoader();
  const all = Promise.allSettled([1, 13, 3].map((item) => load(item)));
  await finishBatches(4);
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an error that would fail any batch is not retried item by item', async () => {
  const { load, batches, finishBatches } = createManualLoader({ failsAnyBatch: () => true });
  const all = Promise.allSettled([1, 13, 3].map((item) => load(item)));
  await finishBatches(1);
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(batches).toHaveLength(1);
});

test('batches run at the same time up to the limit', async () => {
  const { load, batches, finishBatches } = createManualLoader({ maxItems: 1, maxConcurrent: 2 });
  const all = Promise.all([1, 2, 3].map((item) => load(item)));
  await macrotask();
  expect(batches).toEqual([[1], [2]]);
  await finishBatches(3);
  expect(await all).toEqual([2, 4, 6]);
});

test('calls of one turn of the event loop share a batch when it is deferred', async () => {
  const { load, batches, finishBatches } = createManualLoader({ defer: setImmediate });
  const first = load(1);
  await Promise.resolve();
  const second = load(2);
  await finishBatches(1);
  expect(await Promise.all([first, second])).toEqual([2, 4]);
  expect(batches).toEqual([[1, 2]]);
});
