import { CallError } from '@heron/contract/http/errors.ts';
import { tooManyRequests } from '../../../gateway/limits.ts';
import type { AccountDeps } from '../accountDeps.ts';
import { getIdentifiers } from '../identifiers.ts';
import type { User } from '../users.ts';
import { passwordToVerify, verifyPassword } from './passwordHash.ts';

/**
 * Checks the password of somebody who is logged in. A stolen session must not make guessing cheaper: tries count as those of
 * the login do.
 *
 * @throws CallError `password_empty`, `password_wrong` (also when there is none), `too_many_requests`
 */
export async function verifyOwnPassword(
  { throttle }: AccountDeps,
  user: User,
  typed: string,
  address: string,
): Promise<void> {
  if (typed === '') throw new CallError('password_empty');
  // Whoever has a session knows by what the account is known: all of it pauses, and a pause at any counts here.
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
