import { CallError } from '@heron/contract/http/errors.ts';
import { tooMany } from '../gateway/limits.ts';
import type { Accounts } from './accounts.ts';
import { checkedForm, isRightPassword } from './passwordHash.ts';
import { identifiersOf, type User } from './users.ts';

/**
 * Checks the password of somebody who is logged in. A stolen session must not make guessing cheaper: tries count as those of
 * the login do.
 *
 * @throws CallError `password_empty`, `password_wrong` (also when there is none), `too_many_requests`
 */
export async function checkOwnPassword(
  { throttle }: Accounts,
  user: User,
  typed: string,
  address: string,
): Promise<void> {
  if (typed === '') throw new CallError('password_empty');
  // Whoever has a session knows by what the account is known: all of it pauses, and a pause at any counts here.
  const own = identifiersOf(user);
  const { pauseOfAccount, succeeded } = await throttle.attempt(own, user, address);
  const [isRight, pause] = await Promise.all([
    isRightPassword(user.passwordHash, checkedForm(typed)),
    pauseOfAccount(),
  ]);
  if (pause > 0) throw tooMany(pause);
  if (!isRight) throw new CallError('password_wrong');
  await Promise.all([succeeded(own), throttle.welcome(own, address)]);
}
