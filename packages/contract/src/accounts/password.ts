/** Lower limit of the setting for the minimum length. */
export const MIN_PASSWORD_LENGTH = 6;
/** Minimum password length of a new installation, in code points. */
export const DEFAULT_MIN_PASSWORD_LENGTH = 8;
/** Maximum password length, in code points. */
export const MAX_PASSWORD_LENGTH = 128;

/** Returns the form of a password (NFKC) that is measured and hashed, so that all keyboards produce the same password. */
export function normalisePassword(typed: string): string {
  return typed.normalize('NFKC');
}

/** Returns the length of a normalised password in code points. */
export function passwordLength(password: string): number {
  let length = 0;
  for (const _ of password) length++;
  return length;
}
