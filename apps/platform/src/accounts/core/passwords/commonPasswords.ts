import { readFile } from 'node:fs/promises';
import { MIN_PASSWORD_LENGTH, passwordLength } from '@heron/contract/accounts/password.ts';

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns common passwords in lower case: tens of thousands from leaks that are long enough, and a list of our own.
 * That list adds Chinese passwords, trading terms, and short words to which people append digits.
 *
 * They take 5 MB, so they are loaded when a user first chooses a password.
 *
 * @see OWASP ASVS 6.2.4
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= read();
  return known;
}

async function read(): Promise<ReadonlySet<string>> {
  const own = await readFile(new URL('./commonPasswords.txt', import.meta.url), 'utf8');
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const leaked = dictionary['passwords-common'].filter((word) => passwordLength(word) >= MIN_PASSWORD_LENGTH);
  return new Set([...own.split('\n').filter(Boolean), ...leaked]);
}
