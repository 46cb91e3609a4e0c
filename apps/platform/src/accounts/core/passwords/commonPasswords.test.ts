import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { checkPassword } from './passwordRules.ts';

const rules = { minLength: 8 };
const refusalOf = (password: string) =>
  checkPassword(password, [], rules).then(
    () => null,
    ({ code }) => code,
  );

test('far more than the 3,000 most common passwords are rejected, with variations', async () => {
  const long = dictionary['passwords-common'].filter((word) => word.length >= rules.minLength);
  expect(new Set(long).size).toBeGreaterThan(15_000);
  for (const word of long) {
    for (const password of [word, word.toUpperCase()]) expect(await refusalOf(password)).toBe('password_common');
  }
  const words = long.filter((word) => /^[a-z]+$/.test(word));
  for (const word of words) expect(await refusalOf(`${word}2026!`)).toBe('password_common');
});

test.each(['woaini1314', 'tothemoon', 'heron123', '我爱你我爱你'.repeat(2), 'Wobuzhidao!'])(
  'a locally common password is rejected: %s',
  async (password) => {
    expect(await refusalOf(password)).toBe('password_common');
  },
);

test.each(['heron stands in the reed', 'k7$kQ2!z', '苍鹭站在芦苇里不动', 'sunflower over still water'])(
  'a password outside the lists is accepted: %s',
  async (password) => {
    expect(await refusalOf(password)).toBeNull();
  },
);
