import { nameKey } from '@heron/contract/accounts/name.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, passwordLength } from '@heron/contract/accounts/password.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { commonPasswords } from './commonPasswords.ts';

/** Dates, such as birthdays. */
const DATE = /^(19|20)\d\d[-./]?(0?[1-9]|1[0-2])[-./]?(0?[1-9]|[12]\d|3[01])$/;

/**
 * Rejects passwords that are too short, too long, common, or built from the owner's name, e-mail address or phone
 * number.
 *
 * @param password normalised
 * @param own identifiers of the owner
 * @param rules.minLength minimum length in code points; never below the minimum of the specification
 * @throws CallError `password_too_short`, `password_too_long`, `password_common`, `password_personal`
 */
export async function checkPassword(
  password: string,
  own: readonly string[],
  rules: { minLength: number },
): Promise<void> {
  if (password === '') throw new CallError('password_empty');
  const length = passwordLength(password);
  const minLength = Math.max(rules.minLength, MIN_PASSWORD_LENGTH);
  if (length < minLength) throw new CallError('password_too_short', { least: minLength });
  if (length > MAX_PASSWORD_LENGTH) throw new CallError('password_too_long', { greatest: MAX_PASSWORD_LENGTH });
  const plain = password.toLowerCase();
  const core = withoutEnds(plain);
  if (own.some((text) => isPersonal(plain, core, nameKey(text)))) throw new CallError('password_personal');
  const common = await commonPasswords();
  if (common.has(plain) || common.has(core) || isPattern(plain) || DATE.test(plain))
    throw new CallError('password_common');
}

/** @param own a name, an e-mail address, or a phone number, which a password must not contain at all */
function isPersonal(plain: string, core: string, own: string): boolean {
  if (/^\d+$/.test(own)) return plain.replace(/\D/g, '').includes(own);
  const [local = own] = own.split('@', 1);
  return [own, local].some((text) => plain === text || core === text || (core !== '' && core === withoutEnds(text)));
}

/** Removes digits and symbols at both ends, which guessing tools vary first. */
function withoutEnds(text: string): string {
  return text.replace(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, '');
}

/** Returns whether a text is one step or one short piece repeated: "aaaaaaaa", "abcdefgh", "98765432", "abcabcabc". */
function isPattern(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const step = (points[1] ?? 0) - (points[0] ?? 0);
  const isRun = Math.abs(step) <= 1 && points.every((point, at) => at === 0 || point - (points[at - 1] ?? 0) === step);
  const repeats = (piece: number) => points.every((point, at) => point === points[at % piece]);
  return isRun || [1, 2, 3, 4].some((piece) => piece * 2 <= points.length && repeats(piece));
}
