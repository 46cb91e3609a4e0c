import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { hashNewPassword } from '../core/passwords/hashNewPassword.ts';
import type { Queries } from '../core/queries.ts';
import { findReferrer } from '../core/referrer.ts';
import { addUser, isNameTaken, parseName, type User } from '../core/users.ts';

/** A checked applicant with a hashed password. */
export type Applicant = { readonly name: string; readonly passwordHash: string };

/**
 * Checks a name and a password against the rules of this installation.
 *
 * @throws CallError `name_invalid`, `name_taken`, or as `checkPassword`
 */
export async function checkApplicant(orm: Queries, typed: { username: string; password: string }): Promise<Applicant> {
  const name = parseName(typed.username);
  if (await isNameTaken(orm, name)) throw new CallError('name_taken');
  return { name, passwordHash: await hashNewPassword(orm, typed.password, [name]) };
}

/** Registers a member. @throws CallError as `checkApplicant` */
export async function register(
  { orm }: Database,
  typed: { username: string; password: string; referrerUid?: number | undefined },
): Promise<User> {
  const applicant = await checkApplicant(orm, typed);
  const referrerUid = await findReferrer(orm, typed.referrerUid);
  return addUser(orm, { ...applicant, nickName: applicant.name, groupId: null, referrerUid });
}
