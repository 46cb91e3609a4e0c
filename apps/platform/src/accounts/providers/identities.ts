import { createHash } from 'node:crypto';
import type { Provider } from '@heron/contract/accounts/identityMethods.ts';
import { identities } from '@heron/database/schema/accounts.ts';
import { and, eq, or, sql } from 'drizzle-orm';
import type { IdentityKey, ProviderIdentity } from '../core/providers.ts';
import type { Queries } from '../core/queries.ts';
import type { SecretKeys } from '../core/secretKeys.ts';

/** Returns the account of each name, in the order of the names. */
export async function findOwners(
  orm: Queries,
  { keys }: ProviderIdentity,
): Promise<{ key: IdentityKey; userId: number | null }[]> {
  const rows = await orm
    .select()
    .from(identities)
    .where(or(...keys.map(isKey)));
  return keys.map((key) => ({
    key,
    userId: rows.find(({ provider, subject }) => provider === key.provider && subject === key.subject)?.userId ?? null,
  }));
}

/** Links the unlinked names to an account, and stores the newest token. */
export async function addIdentities(
  orm: Queries,
  keys: SecretKeys,
  userId: number,
  person: ProviderIdentity,
): Promise<void> {
  await orm
    .insert(identities)
    .values(person.keys.map((key) => ({ ...key, userId })))
    .onConflictDoNothing();
  if (person.refreshToken === null) return;
  const refreshToken = keys.seal('provider-tokens', `user ${userId}`, JSON.stringify(person.refreshToken));
  await orm
    .update(identities)
    .set({ refreshToken })
    .where(and(eq(identities.userId, userId), isKey(person.keys[0])));
}

/**
 * Locks the names of a person until the transaction ends, so that one of several concurrent first sign-ins registers.
 * Locks in a fixed order, so that transactions do not deadlock.
 */
export async function lockIdentities(tx: Queries, { keys }: ProviderIdentity): Promise<void> {
  const locks = keys.map(({ provider, subject }) =>
    createHash('sha256')
      .update(JSON.stringify(['identity', provider, subject]))
      .digest()
      .readBigInt64BE(),
  );
  for (const lock of locks.toSorted((a, b) => (a < b ? -1 : 1)))
    await tx.select({ locked: sql`pg_advisory_xact_lock(${lock})` }).from(sql`(values (1)) as one`);
}

/** Matches the rows of a provider: `wechat:{appid}` belongs to WeChat too. */
export function isOfProvider(provider: Provider) {
  return sql`split_part(${identities.provider}, ':', 1) = ${provider}`;
}

function isKey({ provider, subject }: IdentityKey) {
  return and(eq(identities.provider, provider), eq(identities.subject, subject));
}
