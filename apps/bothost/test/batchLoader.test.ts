import { expect, test } from 'vitest';
import { createBatchLoader } from '../src/worker/batchLoader.ts';

/** A way to somewhere that is open only when the test says so. */
function slowWay(concernsAll = false) {
  const batches: number[][] = [];
  const opened: (() => void)[] = [];
  const go = createBatchLoader(
    async (items: readonly number[]) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => opened.push(resolve));
      if (items.includes(13)) throw new Error('13 cannot be done');
      return items.map((item) => item * 2);
    },
    { most: 3, atOnce: 1, concernsAll: () => concernsAll },
  );
  const open = async (times: number) => {
    for (let n = 0; n < times; n++) {
      await new Promise((resolve) => setImmediate(resolve));
      opened.shift()?.();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { go, batches, open };
}

test('who asks alone is served at once, who asks meanwhile is served together', async () => {
  const { go, batches, open } = slowWay();
  const first = go(1);
  await Promise.resolve();
  expect(batches).toEqual([[1]]);
  const others = [2, 3, 4, 5].map((item) => go(item));
  await open(3);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8, 10]);
});

test('what is wrong with one item fails for that one only', async () => {
  const { go, open } = slowWay();
  const all = Promise.allSettled([1, 13, 3].map((item) => go(item)));
  await open(4);
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('what would fail for any item is not tried again for each', async () => {
  const { go, batches, open } = slowWay(true);
  const all = Promise.allSettled([1, 13, 3].map((item) => go(item)));
  await open(1);
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(batches).toHaveLength(1);
});
