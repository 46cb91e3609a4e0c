import { users } from '@heron/database/schema/accounts.ts';
import { eq } from 'drizzle-orm';
import type { Queries } from './queries.ts';

/** Returns the uid of the user who referred a new member; undefined when no user has it. */
export async function findReferrer(orm: Queries, uid: number | undefined): Promise<number | undefined> {
  if (uid === undefined) return undefined;
  const [found] = await orm.select({ uid: users.uid }).from(users).where(eq(users.uid, uid));
  return found?.uid;
}
