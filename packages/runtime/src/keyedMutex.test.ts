import { expect, test } from 'vitest';
import { createKeyedMutex } from './keyedMutex.ts';

const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve));

test('actions on one key run one after another, in the order of the calls', async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const action = (name: string) => async () => {
    log.push(`${name} starts`);
    await macrotask();
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(['a', 'b', 'c'].map((name) => mutex.run('key', action(name))));
  expect(results).toEqual(['a', 'b', 'c']);
  expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('actions on different keys do not wait for each other', async () => {
  const mutex = createKeyedMutex();
  const held = Promise.withResolvers<void>();
  const first = mutex.run('a', () => held.promise);
  await expect(mutex.run('b', async () => 'done')).resolves.toBe('done');
  held.resolve();
  await first;
});

test('an action that fails rejects alone, and the next one runs', async () => {
  const mutex = createKeyedMutex();
  const failing = mutex.run('key', async () => {
    throw new Error('failed');
  });
  const next = mutex.run('key', async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  await expect(next).resolves.toBe('done');
});

test('an acquired key is held until it is released', async () => {
  const mutex = createKeyedMutex();
  const release = await mutex.acquire('key');
  let ran = false;
  const next = mutex.run('key', async () => {
    ran = true;
  });
  await macrotask();
  expect(ran).toBe(false);
  release();
  await next;
  expect(ran).toBe(true);
});

test('a second release does not free a key that another caller holds', async () => {
  const mutex = createKeyedMutex();
  const release = await mutex.acquire('key');
  release();
  const releaseSecond = await mutex.acquire('key');
  release();
  expect(mutex.isLocked('key')).toBe(true);
  releaseSecond();
});

test('a key is locked while somebody holds it or waits for it', async () => {
  const mutex = createKeyedMutex();
  expect(mutex.isLocked('key')).toBe(false);
  const first = mutex.run('key', macrotask);
  const second = mutex.run('key', macrotask);
  expect(mutex.isLocked('key')).toBe(true);
  await first;
  expect(mutex.isLocked('key')).toBe(true);
  await second;
  expect(mutex.isLocked('key')).toBe(false);
});
