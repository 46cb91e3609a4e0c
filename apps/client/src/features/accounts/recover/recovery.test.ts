import { expect, test } from 'vitest';
import { noteRecovered, takeRecovered } from './recovery.ts';

test('only the first login screen after a recovery begins with that account', () => {
  noteRecovered('ada@example.org');
  expect(takeRecovered()).toBe('ada@example.org');
  expect(takeRecovered()).toBe('');
});
