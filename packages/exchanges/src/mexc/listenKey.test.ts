import { afterEach, expect, test, vi } from 'vitest';
import { ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import { openListenKey } from './listenKey.ts';

const MINUTES_MS = 60_000;

afterEach(() => vi.useRealTimers());

/** Opens the listen key of an exchange whose renewals can fail. */
function openKey() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const state = { failure: null as Error | null, made: 0, renewed: 0, deleted: [] as string[], refused: 0 };
  const answer = { wait: Promise.resolve() };
  const key = openListenKey(
    {
      listenKeys: async () => [],
      async newListenKey() {
        await answer.wait;
        state.made += 1;
        return `key ${state.made}`;
      },
      async renew() {
        state.renewed += 1;
        if (state.failure !== null) throw state.failure;
      },
      deleteKey: async (text) => void state.deleted.push(text),
    },
    () => {
      state.refused += 1;
    },
  );
  return { state, answer, key };
}

test('a key whose creation outlasts the stream is deleted, and not renewed', async () => {
  const { state, answer, key } = openKey();
  const created = Promise.withResolvers<void>();
  answer.wait = created.promise;
  const text = key.get();
  await key.close();
  created.resolve();
  await expect(text).rejects.toMatchObject({ kind: 'unreachable' });
  expect(state.deleted).toEqual(['key 1']);
  await vi.advanceTimersByTimeAsync(60 * MINUTES_MS);
  expect(state.renewed).toBe(0);
});

test('a renewal without an answer is repeated, and the key stays', async () => {
  const { state, key } = openKey();
  await key.get();
  state.failure = new ExchangeUnreachable('mexc', 'no answer');
  await vi.advanceTimersByTimeAsync(25 * MINUTES_MS);
  expect(state.renewed).toBeGreaterThan(2);
  state.failure = null;
  await vi.advanceTimersByTimeAsync(5 * MINUTES_MS);
  const before = state.renewed;
  await vi.advanceTimersByTimeAsync(20 * MINUTES_MS);
  expect(state.renewed).toBe(before + 1);
  expect([await key.get(), state.refused, state.deleted]).toEqual(['key 1', 0, []]);
  await key.close();
});

test('a key whose renewal is refused is deleted and replaced', async () => {
  const { state, key } = openKey();
  await key.get();
  state.failure = new ExchangeRefused('mexc', 'This listenKey does not exist.');
  await vi.advanceTimersByTimeAsync(20 * MINUTES_MS);
  expect([state.refused, state.deleted]).toEqual([1, ['key 1']]);
  expect(await key.get()).toBe('key 2');
  await key.close();
});

test('two connections that need a key at once share one', async () => {
  const { state, key } = openKey();
  expect(await Promise.all([key.get(), key.get()])).toEqual(['key 1', 'key 1']);
  await key.close();
  expect(state.deleted).toEqual(['key 1']);
});
