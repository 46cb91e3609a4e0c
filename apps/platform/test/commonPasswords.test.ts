import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { checkPassword } from '../src/accounts/core/passwords/passwordRules.ts';

const rules = { minLength: 8 };
const refusalOf = (password: string) =>
  checkPassword(password, [], rules).then(
    () => null,
    ({ code }) => code,
  );

test('far more than the 3,000 most common passwords that are long enough are refused, also in capitals and with digits around them', async () => {
  const long = dictionary['passwords-common'].filter((word) => word.length >= rules.minLength);
  expect(new Set(long).size).toBeGreaterThan(15_000);
  for (const word of long) {
    for (const password of [word, word.toUpperCase()]) expect(await refusalOf(password)).toBe('password_common');
  }
  const words = long.filter((word) => /^[a-z]+$/.test(word));
  for (const word of words) expect(await refusalOf(`${word}2026!`)).toBe('password_common');
});

test.each(['woaini1314', 'tothemoon', 'heron123', '我爱你我爱你'.repeat(2), 'Wobuzhidao!'])(
  'what is common here and in no list of leaks is refused: %s',
  async (password) => {
    expect(await refusalOf(password)).toBe('password_common');
  },
);

test.each(['heron stands in the reed', 'k7$kQ2!z', '苍鹭站在芦苇里不动', 'sunflower over still water'])(
  'what is in no list is accepted, even when a common word is in it: %s',
  async (password) => {
    expect(await refusalOf(password)).toBeNull();
  },
);
