import { expect, test } from 'vitest';
import { codeDigits } from './digits.ts';

test('a code can be pasted as it is in a message', () => {
  expect(codeDigits('123 456')).toBe('123456');
  expect(codeDigits(' Your code: 123-456. ')).toBe('123456');
  expect(codeDigits('１２３４５６')).toBe('123456');
});

test('text that is too long is truncated to the length of a code', () => {
  expect(codeDigits('12345678')).toBe('123456');
});
