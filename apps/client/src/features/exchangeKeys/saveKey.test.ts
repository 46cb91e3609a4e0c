import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '../../lib/api.ts';
import { EMPTY_KEY } from './newKey.ts';
import { saveKey } from './saveKey.ts';

const typed = {
  ...EMPTY_KEY,
  venue: 'binance',
  label: ' Main ',
  key: 'public-key-1234',
  secret: 'secret-of-key',
} as const;

function stored(id: string, part: Partial<ExchangeKey> = {}): ExchangeKey {
  return {
    id,
    venue: 'binance',
    label: 'Main',
    lastFour: '1234',
    permissions: { trade: true, withdraw: false, ipRestricted: true },
    warnings: [],
    checkedAt: 0,
    createdAt: 0,
    bots: [],
    ...part,
  };
}

/** Creates calls of which `add` fails, after it has stored `added`. */
function failing(error: Error, before: readonly ExchangeKey[], added: readonly ExchangeKey[] = []) {
  let keys = before;
  return {
    list: async () => keys,
    add: async () => {
      keys = [...before, ...added];
      throw error;
    },
  };
}

const lost = new NoAnswer('timeout');

test('a key whose response was lost is found among the stored keys', async () => {
  const added = stored('new');
  expect(await saveKey(typed, failing(lost, [stored('other', { label: 'Other' })], [added]))).toBe(added);
});

test('a key that existed before is not taken for the new one', async () => {
  await expect(saveKey(typed, failing(lost, [stored('old')]))).rejects.toBe(lost);
});

test('a new key of another venue or label is not taken for the typed one', async () => {
  const others = [stored('a', { venue: 'mexc' }), stored('b', { label: 'Second' }), stored('c', { lastFour: '9999' })];
  await expect(saveKey(typed, failing(lost, [], others))).rejects.toBe(lost);
});

test('the error of a rejected key is shown, even if a key like it appears', async () => {
  const taken = new ApiError('key_label_taken', 409, 'taken', {});
  await expect(saveKey(typed, failing(taken, [], [stored('new')]))).rejects.toBe(taken);
});

test('the first error is shown when the keys cannot be listed', async () => {
  const offline = new NoAnswer('network');
  const list = async () => Promise.reject(offline);
  await expect(saveKey(typed, { list, add: () => Promise.reject(lost) })).rejects.toBe(lost);
  let lists = 0;
  const listOnce = async () => (lists++ === 0 ? [] : Promise.reject(offline));
  await expect(saveKey(typed, { list: listOnce, add: () => Promise.reject(lost) })).rejects.toBe(lost);
});
