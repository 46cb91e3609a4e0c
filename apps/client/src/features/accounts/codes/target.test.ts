import { expect, test } from 'vitest';
import { targetFault } from './target.ts';

test.each([
  ['email', '', 'Enter your email'],
  ['email', 'ada@example', 'Invalid email format'],
  ['email', 'ada@yahoo.co.uk', /Yahoo mailboxes often miss our codes/],
  ['phone', ' ', 'Enter your phone number'],
  ['phone', '12345678901', 'Invalid phone number format'],
  ['phone', '2380013800', 'Invalid phone number format'],
] as const)('the %s "%s" is rejected', (kind, typed, text) => {
  expect(targetFault(kind, typed, 'en').fault).toMatch(text);
});

test('an address that only contains yahoo is accepted', () => {
  expect(targetFault('email', 'yahoo.fan@example.org', 'en')).toEqual({ target: 'yahoo.fan@example.org', fault: null });
});

test('a phone number is accepted in common spellings', () => {
  expect(targetFault('phone', '+86 138-0013-8000', 'zh')).toEqual({ target: '13800138000', fault: null });
});
