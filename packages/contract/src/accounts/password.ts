/** No setting can allow shorter passwords. @see accounts.md 5 */
export const MIN_PASSWORD_LENGTH = 6;
/** Shortest password of a new installation, in code points. */
export const DEFAULT_MIN_PASSWORD_LENGTH = 8;
/** Longest password, in code points. */
export const MAX_PASSWORD_LENGTH = 128;

/** A password as it is measured and hashed: the same keys give the same password on every keyboard (NFKC). */
export function normalisePassword(typed: string): string {
  return typed.normalize('NFKC');
}

/** Length of a normalised password in code points: an emoji counts once. */
export function passwordLength(password: string): number {
  let length = 0;
  for (const _ of password) length++;
  return length;
}
