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
/** Two random numbers of nine digits rarely collide, so five tries are enough. */
const UID_TRIES = 5;

/** Normalises a typed name. @throws CallError `name_invalid` */
export function parseName(typed: string): string {
  const name = normaliseName(typed);
  if (!isValidName(name)) throw new CallError('name_invalid');
  return name;
}

/** Fields of a new account. All identifiers are proven. */
export type NewPerson = {
  /** Name that `parseName` has normalised. */
  readonly name?: string;
  /** Proven by a code; from `parseEmail`. */
  readonly email?: string;
  /** Proven by a code; from `parsePhone`. */
  readonly phone?: string;
  readonly nickName: string;
  readonly passwordHash: string | null;
  readonly groupId: GroupId | null;
  readonly referrerUid?: number | undefined;
};

/**
 * Adds an account.
 *
 * @throws CallError `name_taken`, `email_taken`, `phone_taken`, also for concurrent registrations; `account_deleted`
 *   when the address or number belongs to a deleted account
 */
export async function addUser(orm: Queries, person: NewPerson): Promise<User> {
  const { name, email, phone, nickName, passwordHash, groupId, referrerUid } = person;
  for (let tries = 0; tries < UID_TRIES; tries++) {
    const [added] = await orm
      .insert(users)
      .values({
        uid: randomInt(100_000_000, 1_000_000_000),
        ...(name === undefined ? {} : { username: name, usernameKey: nameKey(name) }),
        ...(email === undefined ? {} : { email, emailKey: emailKey(email) }),
        ...(phone === undefined ? {} : { phone }),
        ...(referrerUid === undefined ? {} : { referrerUid }),
        nickName: [...nickName].slice(0, MAX_NICK_NAME_LENGTH).join(''),
        passwordHash,
        groupId,
      })
      .onConflictDoNothing()
      .returning();
    if (added !== undefined) return added;
    if (name !== undefined && (await isNameTaken(orm, name))) throw new CallError('name_taken');
    if (email !== undefined) await throwIfTaken(orm, eq(users.emailKey, emailKey(email)), 'email_taken');
    if (phone !== undefined) await throwIfTaken(orm, eq(users.phone, phone), 'phone_taken');
  }
  throw new Error('no free uid found');
}

/** Returns whether an account has a name. @param name from `parseName` */
export async function isNameTaken(orm: Queries, name: string): Promise<boolean> {
  const which = eq(users.usernameKey, nameKey(name));
  return (await orm.select({ id: users.id }).from(users).where(which)).length > 0;
}

/** Throws when an account has an address or number. The caller owns it, so the error may reveal a deleted account. */
async function throwIfTaken(orm: Queries, which: SQL, code: 'email_taken' | 'phone_taken'): Promise<void> {
  const [owner] = await orm.select({ deletedAt: users.deletedAt }).from(users).where(which);
  if (owner === undefined) return;
  throw owner.deletedAt === null ? new CallError(code) : accountDeleted(owner.deletedAt);
}

/**
 * Returns the account of a typed name, uid, e-mail address or phone number, or null. Deleted accounts are found too,
 * because they keep their names until they are erased.
 */
export async function findUser(orm: Queries, typed: string): Promise<User | null> {
  const which = columnOf(parseIdentifier(typed), nameKey(normaliseName(typed)));
  if (which === null) return null;
  const [found] = await orm.select().from(users).where(which);
  return found ?? null;
}

/** Returns null for a text that cannot be an identifier, because the database rejects some characters. */
function columnOf({ kind, key }: Identifier, asName: string): SQL | undefined | null {
  const byName = eq(users.usernameKey, asName);
  switch (kind) {
    case 'uid':
      return eq(users.uid, Number(key));
    case 'phone': {
      const byPhone = eq(users.phone, key);
      // Some old names look like 138-0013-8000. Such a name is found unless an account has that phone number.
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

/** Returns an account. @throws CallError `not_logged_in` when it was deleted meanwhile */
export async function getUser(orm: Queries, id: number): Promise<User> {
  const [found] = await orm.select().from(users).where(eq(users.id, id));
  if (found === undefined || found.deletedAt !== null) throw new CallError('not_logged_in');
  return found;
}

/** Records a sign-in. @returns the changed account */
export async function recordLogin(orm: Queries, id: number): Promise<User> {
  const [noted] = await orm.update(users).set({ loggedInAt: sql`now()` }).where(eq(users.id, id)).returning();
  if (noted === undefined) throw new CallError('login_failed');
  return noted;
}
