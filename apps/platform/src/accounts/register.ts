import { normalisePassword } from '@heron/contract/accounts/password.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { settings } from '@heron/database/schema/accounts.ts';
import { hashPassword } from './passwordHash.ts';
import { checkPassword } from './passwordRules.ts';
import { addUser, findUser, parseName, type Queries, type User } from './users.ts';

/** Somebody who may be added, the slow work done. */
export type Applicant = { readonly name: string; readonly passwordHash: string };

/**
 * Checks a name and a password by the rules of this installation.
 *
 * @throws CallError `name_invalid`, `name_taken`, or one of `checkPassword`
 */
export async function examine(orm: Queries, typed: { username: string; password: string }): Promise<Applicant> {
  const name = parseName(typed.username);
  const password = normalisePassword(typed.password);
  checkPassword(password, name, { least: await leastPassword(orm) });
  if ((await findUser(orm, name)) !== null) throw new CallError('name_taken');
  return { name, passwordHash: await hashPassword(password) };
}

/** Registers a member. @throws CallError as `examine` */
export async function register({ orm }: Database, typed: { username: string; password: string }): Promise<User> {
  const applicant = await examine(orm, typed);
  return addUser(orm, { ...applicant, nickName: applicant.name, groupId: null });
}

/** Shortest password that an administrator allows, in code points. */
export async function leastPassword(orm: Queries): Promise<number> {
  const [row] = await orm.select({ least: settings.passwordLeast }).from(settings);
  if (row === undefined) throw new Error('the row of settings is missing');
  return row.least;
}
