import { normalisePassword } from '@heron/contract/accounts/password.ts';
import { hashPassword } from '../passwordHash.ts';
import { checkPassword } from '../passwordRules.ts';
import { installationSettings } from '../settings.ts';
import type { Queries } from '../users.ts';

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
  const { passwordLeast } = await installationSettings(orm);
  await checkPassword(
    password,
    own.filter((text) => text != null),
    { least: passwordLeast },
  );
  return hashPassword(password);
}
