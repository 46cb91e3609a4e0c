import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../gateway/methods.ts';
import type { Accounts } from './accounts.ts';
import { checkedForm, hashPassword, isOutdated, isRightPassword } from './passwordHash.ts';
import { findUser, identifierOf, identifiersOf, type Queries, type User } from './users.ts';

/**
 * The account, if the password is right. An unknown account answers like a wrong password, by the same steps in the same time,
 * and so does one at whose names strangers have guessed too often.
 *
 * @param attempt.typed name, uid, e-mail address or phone number
 * @throws CallError `account_empty`, `password_empty`, `login_failed`, `too_many_requests`
 */
export async function logIn(
  { database: { orm }, throttle, failures }: Accounts,
  attempt: { typed: string; password: string },
  caller: Caller,
): Promise<User> {
  if (attempt.typed.trim() === '') throw new CallError('account_empty');
  if (attempt.password === '') throw new CallError('password_empty');
  const user = await findUser(orm, attempt.typed);
  // By what was typed, not by whose it is: pauses would tell which names belong together, and which ones are somebody's.
  const typed = identifierOf(attempt.typed);
  const { pauseOfAccount, succeeded } = await throttle.attempt([typed], user, caller.address);
  const checked = checkedForm(attempt.password);
  const [isRight, pause] = await Promise.all([isRightPassword(user?.passwordHash ?? null, checked), pauseOfAccount()]);
  if (!isRight || pause > 0 || user === null) {
    await failures.wrongPassword(`${typed.kind} ${typed.key}`, user, caller);
    throw new CallError('login_failed');
  }
  await succeeded(identifiersOf(user));
  await renewHash(orm, user, checked);
  return user;
}

/** Parameters grow with the years: whoever logs in gets a hash with today's, the only moment at which the password is known. */
async function renewHash(orm: Queries, { id, passwordHash }: User, password: string): Promise<void> {
  if (passwordHash === null || !isOutdated(passwordHash)) return;
  const renewed = await hashPassword(password);
  // Not over one that was changed meanwhile.
  await orm
    .update(users)
    .set({ passwordHash: renewed })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}
