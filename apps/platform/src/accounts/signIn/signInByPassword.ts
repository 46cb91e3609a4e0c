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
 * The account, if the password is right. An unknown account answers like a wrong password, by the same steps in the same time,
 * and so does one at whose names strangers have guessed too often.
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
  // By what was typed, not by whose it is: pauses would tell which names belong together, and which ones are somebody's.
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

/** Parameters grow with the years: whoever logs in gets a hash with today's, the only moment at which the password is known. */
async function renewHash(orm: Queries, { id, passwordHash }: User, password: string): Promise<void> {
  if (passwordHash === null || !isHashOutdated(passwordHash)) return;
  const renewed = await hashPassword(password);
  // Not over one that was changed meanwhile.
  await orm
    .update(users)
    .set({ passwordHash: renewed })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}
