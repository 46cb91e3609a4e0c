import type { Queries } from '../core/queries.ts';
import { findReferrer } from '../core/referrer.ts';
import { addUser, type User } from '../core/users.ts';
import { checkApplicant } from './checkApplicant.ts';

/** Registers a member. @throws CallError as `checkApplicant` */
export async function register(
  orm: Queries,
  typed: { username: string; password: string; referrerUid?: number | undefined },
): Promise<User> {
  const applicant = await checkApplicant(orm, typed);
  const referrerUid = await findReferrer(orm, typed.referrerUid);
  return addUser(orm, { ...applicant, nickName: applicant.name, groupId: null, referrerUid });
}
