import { expect, test } from 'vitest';
import { noteRecovered, takeRecovered } from './recovery.ts';

test('the login screen after a recovery begins with that account, and no later one does', () => {
  noteRecovered('ada@example.org');
  expect(takeRecovered()).toBe('ada@example.org');
  expect(takeRecovered()).toBe('');
});
