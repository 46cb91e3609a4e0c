import { nameKey } from '@heron/contract/accounts/name.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, passwordLength } from '@heron/contract/accounts/password.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { commonPasswords } from './commonPasswords.ts';

/** Birthdays. */
const DATE = /^(19|20)\d\d[-./]?(0?[1-9]|1[0-2])[-./]?(0?[1-9]|[12]\d|3[01])$/;

/**
 * Refuses passwords that are short, long, common or the owner's own name, e-mail address or phone number
 * (findings-identity.md).
 *
 * @param password normalised
 * @param own what the owner is known by
 * @param rules.least shortest length in code points; the floor of the specification holds whatever is set
 * @throws CallError `password_too_short`, `password_too_long`, `password_common`, `password_personal`
 */
export async function checkPassword(
  password: string,
  own: readonly string[],
  rules: { minLength: number },
): Promise<void> {
  if (password === '') throw new CallError('password_empty');
  const length = passwordLength(password);
  const least = Math.max(rules.minLength, MIN_PASSWORD_LENGTH);
  if (length < least) throw new CallError('password_too_short', { least });
  if (length > MAX_PASSWORD_LENGTH) throw new CallError('password_too_long', { greatest: MAX_PASSWORD_LENGTH });
  const plain = password.toLowerCase();
  const core = withoutEnds(plain);
  if (own.some((text) => isPersonal(plain, core, nameKey(text)))) throw new CallError('password_personal');
  const common = await commonPasswords();
  if (common.has(plain) || common.has(core) || isPattern(plain) || DATE.test(plain))
    throw new CallError('password_common');
}

/** @param own a name, an e-mail address, or a phone number, which stands in no password at all */
function isPersonal(plain: string, core: string, own: string): boolean {
  if (/^\d+$/.test(own)) return plain.replace(/\D/g, '').includes(own);
  const [local = own] = own.split('@', 1);
  return [own, local].some((text) => plain === text || core === text || (core !== '' && core === withoutEnds(text)));
}

/** Digits and signs around a word are the first thing that guessing tools try. */
function withoutEnds(text: string): string {
  return text.replace(/^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu, '');
}

/** "aaaaaaaa", "abcdefgh", "98765432", "abcabcabc": one step, or one short piece, over and over. */
function isPattern(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const step = (points[1] ?? 0) - (points[0] ?? 0);
  const isRun = Math.abs(step) <= 1 && points.every((point, at) => at === 0 || point - (points[at - 1] ?? 0) === step);
  const repeats = (piece: number) => points.every((point, at) => point === points[at % piece]);
  return isRun || [1, 2, 3, 4].some((piece) => piece * 2 <= points.length && repeats(piece));
}
