import { normalisePassword } from '@heron/contract/accounts/password.ts';
import type { Queries } from '../queries.ts';
import { getInstallationSettings } from '../settings.ts';
import { hashPassword } from './passwordHash.ts';
import { checkPassword } from './passwordRules.ts';

/**
 * Checks a new password against the rules of this installation and hashes it.
 *
 * @param own names, e-mail address and phone number of the owner
 * @throws CallError as `checkPassword`
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
