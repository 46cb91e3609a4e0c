import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { hashNewPassword } from './password/newPassword.ts';
import { knownSource } from './registration/knownSource.ts';
import { addUser, isNameTaken, parseName, type Queries, type User } from './users.ts';

/** Somebody who may be added, the slow work done. */
export type Applicant = { readonly name: string; readonly passwordHash: string };

/**
 * Checks a name and a password by the rules of this installation.
 *
 * @throws CallError `name_invalid`, `name_taken`, or one of `checkPassword`
 */
export async function examine(orm: Queries, typed: { username: string; password: string }): Promise<Applicant> {
  const name = parseName(typed.username);
  if (await isNameTaken(orm, name)) throw new CallError('name_taken');
  return { name, passwordHash: await hashNewPassword(orm, typed.password, [name]) };
}

/** Registers a member. @throws CallError as `examine` */
export async function register(
  { orm }: Database,
  typed: { username: string; password: string; source_uid?: number | undefined },
): Promise<User> {
  const applicant = await examine(orm, typed);
  const sourceUid = await knownSource(orm, typed.source_uid);
  return addUser(orm, { ...applicant, nickName: applicant.name, groupId: null, sourceUid });
}
