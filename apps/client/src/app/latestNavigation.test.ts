import { expect, test } from 'vitest';
import { beginTurn, inTurn } from './latestNavigation.ts';

test('only the newest move brings its screen, in whatever order their files come', async () => {
  const arrive: (() => void)[] = [];
  const bring = (name: string) => () => new Promise((resolve) => arrive.push(() => resolve(name)));
  const routes = inTurn([
    { path: '/a/', asyncComponent: bring('a') },
    { path: '/b/', asyncComponent: bring('b') },
  ]);
  const shown: unknown[] = [];
  for (const wanted of ['/a/', '/b/', '/a/']) {
    beginTurn();
    const screen = routes.find(({ path }) => path === wanted)?.asyncComponent as () => Promise<unknown>;
    void screen().then((name) => shown.push(name));
  }
  for (const at of [2, 1, 0]) {
    arrive[at]?.();
    await new Promise(setImmediate);
  }
  expect(shown).toEqual(['a']);
});

test('a screen that is there from the start is left as it is', () => {
  const route = { path: '/', component: () => null };
  expect(inTurn([route])).toEqual([route]);
});
