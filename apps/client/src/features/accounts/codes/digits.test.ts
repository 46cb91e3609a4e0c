import { expect, test } from 'vitest';
import { codeDigits } from './digits.ts';

test('a code can be pasted as a message has it', () => {
  expect(codeDigits('123 456')).toBe('123456');
  expect(codeDigits(' Your code: 123-456. ')).toBe('123456');
  expect(codeDigits('１２３４５６')).toBe('123456');
});

test('what is too long ends where a code ends', () => {
  expect(codeDigits('12345678')).toBe('123456');
});
