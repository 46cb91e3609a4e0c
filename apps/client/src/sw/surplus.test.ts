import { expect, test } from 'vitest';
import { surplus } from './surplus.ts';

const kept = (...builds: [string, number | null][]) => builds.map(([name, taken]) => ({ name, taken }));

test('the build that windows ran before stays, and the ones before that go', () => {
  expect(surplus(kept(['a', 1], ['b', 2], ['c', 3]), 'c')).toEqual(['a']);
  expect(surplus(kept(['a', 1]), 'a')).toEqual([]);
});

test('a build that waited and was never run goes before one that windows run', () => {
  expect(surplus(kept(['a', 1], ['b', null], ['c', 2]), 'c')).toEqual(['b']);
});

test('a newer build that is being brought stays', () => {
  expect(surplus(kept(['a', 1], ['b', 2], ['c', null]), 'b')).toEqual([]);
});

test('the build before is the one that was run last, in whatever order they were brought', () => {
  expect(surplus(kept(['a', 3], ['b', 2], ['c', 1]), 'a')).toEqual(['c']);
});
