import { randomInt } from 'node:crypto';
import { emailKey } from '@heron/contract/accounts/email.ts';
import { isValidName, nameKey, normaliseName } from '@heron/contract/accounts/name.ts';
import { MAX_NICK_NAME_LENGTH } from '@heron/contract/accounts/profile.ts';
import type { GroupId } from '@heron/contract/accounts/roles.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { users } from '@heron/database/schema/accounts.ts';
import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { accountDeleted } from './deletedAccount.ts';
import type { Identifier } from './identifiers.ts';
import { parseIdentifier } from './identifiers.ts';
import type { Queries } from './queries.ts';

export type User = typeof users.$inferSelect;
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

/** By what somebody is known who is added: exactly what has been proven. */
export type NewPerson = {
  /** From `parseName`. */
  readonly name?: string;
  /** Proven by a code; from `parseEmail`. */
  readonly email?: string;
  /** Proven by a code; from `parsePhone`. */
  readonly phone?: string;
  readonly nickName: string;
  readonly passwordHash: string | null;
  readonly groupId: GroupId | null;
  readonly sourceUid?: number | undefined;
};

/**
 * Adds somebody.
 *
 * @throws CallError `name_taken`, `email_taken`, `phone_taken`, also when somebody else takes it in the same moment;
 *   `account_deleted` when the address or number is of one
 */
export async function addUser(orm: Queries, person: NewPerson): Promise<User> {
  const { name, email, phone, nickName, passwordHash, groupId, sourceUid } = person;
  for (let tries = 0; tries < UID_TRIES; tries++) {
    const [added] = await orm
      .insert(users)
      .values({
        uid: randomInt(100_000_000, 1_000_000_000),
        ...(name === undefined ? {} : { username: name, usernameKey: nameKey(name) }),
        ...(email === undefined ? {} : { email, emailKey: emailKey(email) }),
        ...(phone === undefined ? {} : { phone }),
        ...(sourceUid === undefined ? {} : { sourceUid }),
        nickName: [...nickName].slice(0, MAX_NICK_NAME_LENGTH).join(''),
        passwordHash,
        groupId,
      })
      .onConflictDoNothing()
      .returning();
    if (added !== undefined) return added;
    if (name !== undefined && (await isNameTaken(orm, name))) throw new CallError('name_taken');
    if (email !== undefined) await refuseTaken(orm, eq(users.emailKey, emailKey(email)), 'email_taken');
    if (phone !== undefined) await refuseTaken(orm, eq(users.phone, phone), 'phone_taken');
  }
  throw new Error('no free uid found');
}

/** Whether somebody has a name. @param name from `parseName` */
export async function isNameTaken(orm: Queries, name: string): Promise<boolean> {
  const which = eq(users.usernameKey, nameKey(name));
  return (await orm.select({ id: users.id }).from(users).where(which)).length > 0;
}

/** What is proven to be of whoever asks may be told of: that it is of an account, and that this is deleted. */
async function refuseTaken(orm: Queries, which: SQL, code: 'email_taken' | 'phone_taken'): Promise<void> {
  const [owner] = await orm.select({ deletedAt: users.deletedAt }).from(users).where(which);
  if (owner === undefined) return;
  throw owner.deletedAt === null ? new CallError(code) : accountDeleted(owner.deletedAt);
}

/**
 * The account of a typed name, uid, e-mail address or phone number, or null. Deleted ones are found too: their names stay
 * theirs until they are erased.
 */
export async function findUser(orm: Queries, typed: string): Promise<User | null> {
  const which = columnOf(parseIdentifier(typed), nameKey(normaliseName(typed)));
  if (which === null) return null;
  const [found] = await orm.select().from(users).where(which);
  return found ?? null;
}

/** Whatever can be none of them is not sent to the database, which refuses some characters. */
function columnOf({ kind, key }: Identifier, asName: string): SQL | undefined | null {
  const byName = eq(users.usernameKey, asName);
  switch (kind) {
    case 'uid':
      return eq(users.uid, Number(key));
    case 'phone': {
      const byPhone = eq(users.phone, key);
      // Some have a name like 138-0013-8000, from before those were refused: it is theirs unless somebody has that phone.
      return or(byPhone, and(byName, sql`not exists (select from ${users} where ${byPhone})`));
    }
    case 'email':
      return eq(users.emailKey, key);
    case 'name':
      return byName;
    case 'nothing':
      return null;
  }
}

/** @throws CallError `not_logged_in` when the account was removed in the meantime */
export async function getUser(orm: Queries, id: number): Promise<User> {
  const [found] = await orm.select().from(users).where(eq(users.id, id));
  if (found === undefined || found.deletedAt !== null) throw new CallError('not_logged_in');
  return found;
}

/** Notes a login. @returns the account as it is now */
export async function recordLogin(orm: Queries, id: number): Promise<User> {
  const [noted] = await orm.update(users).set({ loggedInAt: sql`now()` }).where(eq(users.id, id)).returning();
  if (noted === undefined) throw new CallError('login_failed');
  return noted;
}
