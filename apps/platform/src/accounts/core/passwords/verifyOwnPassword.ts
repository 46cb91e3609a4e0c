import { CallError } from '@heron/contract/http/errors.ts';
import { tooManyRequests } from '../../../gateway/limits.ts';
import type { AccountDeps } from '../accountDeps.ts';
import { getIdentifiers } from '../identifiers.ts';
import type { User } from '../users.ts';
import { passwordToVerify, verifyPassword } from './passwordHash.ts';

/**
 * Verifies the password of a signed-in user. Attempts count like those of a sign-in, so that a stolen session does not
 * make guessing cheaper.
 *
 * @throws CallError `password_empty`, `password_wrong` (also for an account without a password), `too_many_requests`
 */
export async function verifyOwnPassword(
  { throttle }: AccountDeps,
  user: User,
  typed: string,
  address: string,
): Promise<void> {
  if (typed === '') throw new CallError('password_empty');
  // The session reveals all identifiers of the account, so all of them are throttled.
  const own = getIdentifiers(user);
  const { accountBlockSeconds, onSuccess } = await throttle.attempt(own, user, address);
  const [isRight, pause] = await Promise.all([
    verifyPassword(user.passwordHash, passwordToVerify(typed)),
    accountBlockSeconds(),
  ]);
  if (pause > 0) throw tooManyRequests(pause);
  if (!isRight) throw new CallError('password_wrong');
  await Promise.all([onSuccess(own), throttle.rememberAddress(own, address)]);
}
