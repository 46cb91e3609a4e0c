import { expect, test } from 'vitest';
import { nextShortcut, SHORTCUTS } from './shortcuts.ts';

test('keys pressed one after the other are a shortcut, and what is none is forgotten', () => {
  expect(nextShortcut([], 'g')).toEqual(['g']);
  expect(nextShortcut(['g'], 's')).toMatchObject({ id: 'settings' });
  expect(nextShortcut([], 's')).toMatchObject({ id: 'sell' });
  expect(nextShortcut(['g'], 'x')).toBeNull();
  // A key that does not continue the sequence starts a new one.
  expect(nextShortcut(['g'], '?')).toMatchObject({ id: 'list' });
  expect(nextShortcut(['g'], 'g')).toEqual(['g']);
  expect(nextShortcut([], 'G')).toBeNull();
});

test('no shortcut is the beginning of another, and no two are the same', () => {
  for (const one of SHORTCUTS)
    for (const other of SHORTCUTS)
      if (one !== other) expect(other.keys.slice(0, one.keys.length), other.id).not.toEqual(one.keys);
});
