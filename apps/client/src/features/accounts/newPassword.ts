import { normaliseName } from '@heron/contract/accounts/name.ts';
import { normalisePassword, passwordLength } from '@heron/contract/accounts/password.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import type { Key } from '../../locales/texts.ts';

export interface NewAccount {
  readonly name: string;
  readonly password: string;
  readonly again: string;
}

/**
 * Returns the first error of a sign-up form before it is sent; the server checks again, and more.
 *
 * @param minLength minimum password length of the server, in code points
 * @returns field and text, or null
 */
export function registrationFault(
  { name, password, again }: NewAccount,
  minLength: number,
  language: 'zh' | 'en',
  t: (key: Extract<Key, 'accounts.incomplete'>) => string,
): { field: keyof NewAccount; text: string } | null {
  for (const [field, value] of [
    ['name', normaliseName(name)],
    ['password', password],
    ['again', again],
  ] as const) {
    if (value === '') return { field, text: t('accounts.incomplete') };
  }
  if (passwordLength(normalisePassword(password)) < minLength) {
    return { field: 'password', text: errorText('password_too_short', language, { least: minLength }) };
  }
  if (normalisePassword(password) !== normalisePassword(again)) {
    return { field: 'again', text: errorText('password_mismatch', language) };
  }
  return null;
}
