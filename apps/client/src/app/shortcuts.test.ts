import { expect, test } from 'vitest';
import { nextShortcut, SHORTCUTS } from './shortcuts.ts';

test('keys in sequence form a shortcut, and other sequences are discarded', () => {
  expect(nextShortcut([], 'g')).toEqual(['g']);
  expect(nextShortcut(['g'], 's')).toMatchObject({ id: 'settings' });
  expect(nextShortcut([], 's')).toMatchObject({ id: 'sell' });
  expect(nextShortcut(['g'], 'x')).toBeNull();
  // A key that does not continue the sequence starts a new one.
  expect(nextShortcut(['g'], '?')).toMatchObject({ id: 'list' });
  expect(nextShortcut(['g'], 'g')).toEqual(['g']);
  expect(nextShortcut([], 'G')).toBeNull();
});

test('no shortcut is equal to another or begins it', () => {
  for (const one of SHORTCUTS)
    for (const other of SHORTCUTS)
      if (one !== other) expect(other.keys.slice(0, one.keys.length), other.id).not.toEqual(one.keys);
});
