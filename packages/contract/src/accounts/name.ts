import { parsePhone } from './phone.ts';

/**
 * Matches 2 to 24 ASCII letters, digits, Chinese characters, underscores or hyphens. Digits alone are excluded, because they
 * could imitate a `uid`, and other scripts, because their letters could imitate Latin ones.
 */
const NAME = /^(?!\d+$)[A-Za-z0-9\p{Script=Han}_-]{2,24}$/u;

/** Returns a typed name in its stored form: NFKC, without surrounding spaces. */
export function normaliseName(typed: string): string {
  return typed.normalize('NFKC').trim();
}

/**
 * Returns whether a normalised name may be registered. A name that is also a phone number, such as `138-0013-8000`, may not,
 * because a sign-in with it would search for the owner of that number.
 */
export function isValidName(name: string): boolean {
  return NAME.test(name) && parsePhone(name) === null;
}

/** Returns a key that is equal for names that differ only in case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}
