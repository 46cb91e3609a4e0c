import { expect, test } from 'vitest';
import { mailTo } from './mailTo.ts';

test('a message has exactly one recipient, whatever the address contains', () => {
  expect(mailTo('ada@example.org')).toBe('mailto:ada@example.org');
  expect(mailTo('ada?bcc=eve@example.org')).toBe('mailto:ada%3Fbcc%3Deve@example.org');
  expect(mailTo('ada#a&b/c@example.org')).toBe('mailto:ada%23a%26b%2Fc@example.org');
});
