import { normalisePassword, PASSWORD_GREATEST, passwordLength } from '@heron/contract/accounts/password.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import { isRightPassword } from './passwordHash.ts';
import type { User } from './users.ts';

/**
 * Checks the password of somebody who is logged in. A stolen session must not make guessing cheaper: tries count as those of
 * the login do.
 *
 * @throws CallError `password_empty`, `password_wrong` (also when there is none), `too_many_requests`
 */
export async function checkOwnPassword(
  throttle: LoginThrottle,
  user: User,
  typed: string,
  address: string,
): Promise<void> {
  if (typed === '') throw new CallError('password_empty');
  const succeeded = await throttle.attempt(`user ${user.id}`, address);
  const password = normalisePassword(typed);
  const checked = passwordLength(password) > PASSWORD_GREATEST ? '' : password;
  if (!(await isRightPassword(user.passwordHash, checked))) throw new CallError('password_wrong');
  await succeeded();
}
