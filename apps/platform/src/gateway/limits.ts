import { createHash } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { rateLimits } from '@heron/database/schema/accounts.ts';
import { inArray, sql } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const DAY_SECONDS = 86_400;

/** A rate limit: `points` in `seconds`. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number };

/** Creates a rate limiter in the database, which all processes share and restarts keep. */
export function persistentLimiter({ pool }: Database, { name, points, seconds }: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'accounts',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
  });
}

/** Uses one point. @throws CallError `too_many_requests` when none is left */
export async function consumePoint(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooManyRequests(refused.msBeforeNext / 1_000) : refused;
  }
}

/** Deletes counts. @param keys from `getKey` of their limiters */
export async function deleteCounts({ orm }: Database, keys: readonly string[]): Promise<void> {
  await orm.delete(rateLimits).where(inArray(rateLimits.key, lockedCounts(orm, keys)));
}

/** Refunds one point of each count. @param keys from `getKey` of their limiters */
export async function refundPoints({ orm }: Database, keys: readonly string[]): Promise<void> {
  const points = sql`greatest(${rateLimits.points} - 1, 0)`;
  await orm
    .update(rateLimits)
    .set({ points })
    .where(inArray(rateLimits.key, lockedCounts(orm, keys)));
}

/** Locks rows of counts in a fixed order, so that transactions do not deadlock. */
function lockedCounts(orm: Database['orm'], keys: readonly string[]) {
  return orm
    .select({ key: rateLimits.key })
    .from(rateLimits)
    .where(inArray(rateLimits.key, [...keys]))
    .orderBy(rateLimits.key)
    .for('update');
}

/** Stores keys with one used point for this many seconds, in a fixed order. @param keys from `getKey` of a limiter */
export async function storeKeys({ orm }: Database, keys: readonly string[], seconds: number): Promise<void> {
  const expire = Date.now() + seconds * 1_000;
  const rows = [...new Set(keys)].sort().map((key) => ({ key, points: 1, expire }));
  await orm
    .insert(rateLimits)
    .values(rows)
    .onConflictDoUpdate({ target: rateLimits.key, set: { points: 1, expire } });
}

/** Returns a key for a typed text, whose characters and length the table may reject. */
export function digestKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function tooManyRequests(seconds: number): CallError {
  return new CallError('too_many_requests', { seconds: wholeSeconds(seconds) });
}

/** Rounds a wait to whole seconds, from one second to a day. */
export function wholeSeconds(seconds: number): number {
  return Number.isNaN(seconds) ? 1 : Math.min(DAY_SECONDS, Math.max(1, Math.ceil(seconds)));
}
