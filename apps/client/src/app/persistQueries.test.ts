import { describe, expect, test } from 'vitest';
import type { OfflineResponse } from '../lib/offlineCache.ts';
import { worthStoring } from './persistQueries.ts';

const answer = (at: number, key: unknown[], data: unknown = {}): OfflineResponse => ({ key, data, at });
const list = (at: number, ...ids: string[]) => answer(at, ['bots'], { bots: ids.map((id) => ({ id })) });
const stored = (answers: OfflineResponse[]) => worthStoring(answers).map(({ key }) => key.join(' '));

describe('the cache for a start without a server', () => {
  test('contains the list, and all data of the five bots that were viewed last', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pages = ids.flatMap((id, index) => [answer(index, ['bot', id]), answer(100, ['trades', id])]);
    const names = stored([list(50, ...ids), ...pages]);
    expect(names).toContain('bots');
    expect(names.filter((name) => name.startsWith('bot '))).toEqual(['bot f', 'bot e', 'bot d', 'bot c', 'bot b']);
    expect(names.filter((name) => name.startsWith('trades ')).sort()).toEqual(
      ['b', 'c', 'd', 'e', 'f'].map((id) => `trades ${id}`),
    );
  });

  test('contains no data of a removed bot', () => {
    expect(stored([list(2, 'a'), answer(1, ['bot', 'gone']), answer(1, ['journal', 'gone'])])).toEqual(['bots']);
  });

  test('contains the page of a bot that is newer than the list', () => {
    expect(stored([list(1), answer(2, ['bot', 'new'])])).toEqual(['bot new', 'bots']);
  });

  test('contains the profit of one day', () => {
    expect(stored([answer(1, ['profits', 1]), answer(2, ['profits', 2])])).toEqual(['profits 2']);
  });
});
