import { randomInt } from 'node:crypto';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { isValidName, nameKey, normaliseName } from '@heron/contract/accounts/name.ts';
import { type GroupId, roleOf } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { eq, sql } from 'drizzle-orm';

export type User = typeof users.$inferSelect;
/** The database, or a transaction in it. */
export type Queries = Pick<Database['orm'], 'select' | 'insert' | 'update' | 'delete'>;

/** accounts.md 9. */
const NICK_NAME_LONGEST = 12;
/** Two random numbers of nine digits rarely meet; so often never. */
const UID_TRIES = 5;

/**
 * A typed name in the form in which it is kept.
 *
 * @throws CallError `name_invalid`
 */
export function parseName(typed: string): string {
  const name = normaliseName(typed);
  if (!isValidName(name)) throw new CallError('name_invalid');
  return name;
}

/**
 * Adds somebody.
 *
 * @param person.name from `parseName`
 * @throws CallError `name_taken`, also when somebody else takes it in the same moment
 */
export async function addUser(
  orm: Queries,
  person: { name: string; passwordHash: string; groupId: GroupId | null },
): Promise<User> {
  const { name, passwordHash, groupId } = person;
  for (let tries = 0; tries < UID_TRIES; tries++) {
    const [added] = await orm
      .insert(users)
      .values({
        uid: randomInt(100_000_000, 1_000_000_000),
        username: name,
        usernameKey: nameKey(name),
        nickName: [...name].slice(0, NICK_NAME_LONGEST).join(''),
        passwordHash,
        groupId,
      })
      .onConflictDoNothing()
      .returning();
    if (added !== undefined) return added;
    if ((await findUser(orm, name)) !== null) throw new CallError('name_taken');
  }
  throw new Error('no free uid found');
}

/** The account of a typed name or uid, or null. */
export async function findUser(orm: Queries, typed: string): Promise<User | null> {
  const name = normaliseName(typed);
  const isUid = /^[1-9]\d{8}$/.test(name);
  // Whatever cannot be a name is not sent to the database, which refuses some characters.
  if (!isUid && !isValidName(name)) return null;
  const which = isUid ? eq(users.uid, Number(name)) : eq(users.usernameKey, nameKey(name));
  const [found] = await orm.select().from(users).where(which);
  return found ?? null;
}

/** @throws CallError `not_logged_in` when the account was removed in the meantime */
export async function userById(orm: Queries, id: number): Promise<User> {
  const [found] = await orm.select().from(users).where(eq(users.id, id));
  if (found === undefined) throw new CallError('not_logged_in');
  return found;
}

/** Notes a login. @returns the account as it is now */
export async function noteLogin(orm: Queries, id: number): Promise<User> {
  const [noted] = await orm.update(users).set({ loggedInAt: sql`now()` }).where(eq(users.id, id)).returning();
  if (noted === undefined) throw new CallError('login_failed');
  return noted;
}

/** What somebody may see of the own account. */
export function currentUserOf(user: User): CurrentUser {
  return {
    id: user.id,
    uid: user.uid,
    username: user.username,
    nick_name: user.nickName,
    group_id: user.groupId,
    role: roleOf(user.groupId),
    reg_time: unixSeconds(user.registeredAt),
    current_login_time: unixSeconds(user.loggedInAt),
  };
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
