import { normalisePassword } from '@heron/contract/accounts/password.ts';
import type { Queries } from '../queries.ts';
import { getInstallationSettings } from '../settings.ts';
import { hashPassword } from './passwordHash.ts';
import { checkPassword } from './passwordRules.ts';

/**
 * The hash of a password that somebody has chosen, when the rules of this installation allow it.
 *
 * @param own names, e-mail address and phone number of its owner
 * @throws CallError one of `checkPassword`
 */
export async function hashNewPassword(
  orm: Queries,
  typed: string,
  own: readonly (string | null | undefined)[],
): Promise<string> {
  const password = normalisePassword(typed);
  const { passwordMinLength } = await getInstallationSettings(orm);
  await checkPassword(
    password,
    own.filter((text) => text != null),
    { minLength: passwordMinLength },
  );
  return hashPassword(password);
}
