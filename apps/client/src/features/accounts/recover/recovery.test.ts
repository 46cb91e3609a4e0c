import { expect, test } from 'vitest';
import { consumeRecovered, storeRecovered } from './recovery.ts';

test('only the first login screen after a recovery begins with that account', () => {
  storeRecovered('ada@example.org');
  expect(consumeRecovered()).toBe('ada@example.org');
  expect(consumeRecovered()).toBe('');
});
