import { expect, test } from 'vitest';
import { longSubjects } from './checkCommits.ts';

test('a commit subject may have 72 characters and no more', () => {
  const log = [`1a ${'x'.repeat(72)}`, `2b ${'y'.repeat(73)}`, `3c Merge ${'z'.repeat(80)}`, ''].join('\n');
  expect(longSubjects(log)).toEqual([`2b ${'y'.repeat(73)}`]);
});
