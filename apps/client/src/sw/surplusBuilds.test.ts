import { expect, test } from 'vitest';
import { surplusBuilds } from './surplusBuilds.ts';

const stored = (...builds: [string, number | null][]) => builds.map(([name, activation]) => ({ name, activation }));

test('the previous build stays, and older ones are deleted', () => {
  expect(surplusBuilds(stored(['a', 1], ['b', 2], ['c', 3]), 'c')).toEqual(['a']);
  expect(surplusBuilds(stored(['a', 1]), 'a')).toEqual([]);
});

test('a build that never ran is deleted before the previous build', () => {
  expect(surplusBuilds(stored(['a', 1], ['b', null], ['c', 2]), 'c')).toEqual(['b']);
});

test('a newer build that is being downloaded stays', () => {
  expect(surplusBuilds(stored(['a', 1], ['b', 2], ['c', null]), 'b')).toEqual([]);
});

test('the previous build is the one that ran last, whatever the order of downloads', () => {
  expect(surplusBuilds(stored(['a', 3], ['b', 2], ['c', 1]), 'a')).toEqual(['c']);
});
