import { readFile } from 'node:fs/promises';
import { MIN_PASSWORD_LENGTH, passwordLength } from '@heron/contract/accounts/password.ts';

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Common passwords in lower case: the tens of thousands that turn up most often in leaks, as far as any installation would
 * take them for their length, and words of our own, which also hold what is common in Chinese and around trading, and short
 * words that people put digits behind.
 *
 * Read when somebody first chooses a password, not at the start: they take 5 MB.
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
