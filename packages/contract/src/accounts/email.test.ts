import { expect, test } from 'vitest';
import { isYahoo, maskEmail, parseEmail } from './email.ts';

test.each([
  ['anna@mail.example', 'anna@mail.example'],
  [' Anna.Reed+heron@Mail.EXAMPLE ', 'Anna.Reed+heron@mail.example'],
  ['ａｎｎａ＠mail.example', 'anna@mail.example'],
  ["o'neill_#$&*/?=^`{|}~-@a-b.example", "o'neill_#$&*/?=^`{|}~-@a-b.example"],
])('the address %j is kept as %j', (typed, same) => {
  expect(parseEmail(typed)).toBe(same);
});

test.each([
  '',
  'anna',
  '@mail.example',
  'anna@',
  'anna@mail',
  'anna@mail.1',
  'anna@-mail.example',
  'anna@mail..example',
  '.anna@mail.example',
  'anna.@mail.example',
  'an..na@mail.example',
  'anna@mail.example.',
  'a%b@mail.example',
  'a!b@mail.example',
  '=?utf-8?q?a?=@mail.example',
  'anna@mail.example\nb@mail.example',
])('%j is no address', (typed) => {
  expect(parseEmail(typed)).toBeNull();
});

test('an address of any length takes no time', () => {
  const began = performance.now();
  parseEmail(`${'a.'.repeat(500_000)}@mail.example`);
  parseEmail(`anna@${'a-'.repeat(500_000)}`);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test.each([
  ['anna@yahoo.com', true],
  ['anna@mail.yahoo.co.uk', true],
  ['yahoo@mail.example', false],
  ['anna@notyahoo.com', false],
  ['anna@yahoo.mail.example', false],
])('%s is at yahoo: %s', (email, is) => {
  expect(isYahoo(email)).toBe(is);
});

test.each([
  ['annabella@mail.example', 'ann****'],
  ['a@mail.example', 'a****'],
])('%s is shown as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});
