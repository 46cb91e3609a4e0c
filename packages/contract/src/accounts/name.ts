import { parsePhone } from './phone.ts';

/**
 * 2 to 24 ASCII letters, digits, Chinese characters, underscores or hyphens, not digits alone: a name of digits could pass
 * for somebody's `uid`, and letters of other scripts for Latin ones.
 */
const NAME = /^(?!\d+$)[A-Za-z0-9\p{Script=Han}_-]{2,24}$/u;

/** A name as it is kept and shown: compatibility forms made plain (NFKC), no space around it. */
export function normaliseName(typed: string): string {
  return typed.normalize('NFKC').trim();
}

/**
 * Whether a normalised name may be registered: not one that is also a phone number, such as `138-0013-8000`, which whoever
 * logs in with it would be taken for.
 */
export function isValidName(name: string): boolean {
  return NAME.test(name) && parsePhone(name) === null;
}

/** What makes two names the same: they differ only in case. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}
