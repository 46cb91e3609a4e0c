import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { getIdentifiers, parseIdentifier } from '../core/identifiers.ts';
import { hashPassword, isHashOutdated, passwordToVerify, verifyPassword } from '../core/passwords/passwordHash.ts';
import type { Queries } from '../core/queries.ts';
import { findUser, type User } from '../core/users.ts';

/**
 * Returns the account when the password is correct. An unknown account gives the same error in the same time as a wrong
 * password, and so does an account during its hidden delay.
 *
 * @param attempt.typed name, uid, e-mail address or phone number
 * @throws CallError `account_empty`, `password_empty`, `login_failed`, `too_many_requests`
 */
export async function signInByPassword(
  { database: { orm }, throttle, failures }: AccountDeps,
  attempt: { typed: string; password: string },
  caller: Caller,
): Promise<User> {
  if (attempt.typed.trim() === '') throw new CallError('account_empty');
  if (attempt.password === '') throw new CallError('password_empty');
  const user = await findUser(orm, attempt.typed);
  // Throttles by the identifier typed, so that delays do not reveal which identifiers share an account.
  const typed = parseIdentifier(attempt.typed);
  const { accountBlockSeconds, onSuccess } = await throttle.attempt([typed], user, caller.address);
  const checked = passwordToVerify(attempt.password);
  const [isRight, pause] = await Promise.all([
    verifyPassword(user?.passwordHash ?? null, checked),
    accountBlockSeconds(),
  ]);
  if (!isRight || pause > 0 || user === null) {
    await failures.onWrongPassword(`${typed.kind} ${typed.key}`, user, caller);
    throw new CallError('login_failed');
  }
  await onSuccess(getIdentifiers(user));
  await renewHash(orm, user, checked);
  return user;
}

/** Replaces a hash with outdated parameters. Only a sign-in knows the password. */
async function renewHash(orm: Queries, { id, passwordHash }: User, password: string): Promise<void> {
  if (passwordHash === null || !isHashOutdated(passwordHash)) return;
  const renewed = await hashPassword(password);
  // Keeps a password that was changed meanwhile.
  await orm
    .update(users)
    .set({ passwordHash: renewed })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}
