import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrencyLimit.ts';

test('tasks above the limit wait and run in order, also after a failed task', async () => {
  const limited = createConcurrencyLimit(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const piece = (name: string) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return limited(() => {
      begun.push(name);
      return end.promise;
    });
  };
  const done = Promise.allSettled(['a', 'b', 'c', 'd'].map(piece));
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.reject(new Error('b failed'));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'c']);
  const late = piece('e');
  for (const [name, { resolve }] of ends) resolve(name);
  expect(await late).toBe('e');
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect((await done).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  // All slots are free again.
  void piece('f');
  void piece('g');
  expect(begun.slice(-2)).toEqual(['f', 'g']);
});
