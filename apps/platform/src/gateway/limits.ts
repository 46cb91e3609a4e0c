import { createHash } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { rateLimits } from '@heron/database/schema/accounts.ts';
import { inArray, sql } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const DAY_SECONDS = 86_400;

/** How often something may be done: `points` times in `seconds`. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number };

/** A counter in the database: all processes share it, and it survives a restart. */
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

/** Uses one point. @throws CallError `too_many_requests` when there is none left */
export async function consumePoint(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooManyRequests(refused.msBeforeNext / 1_000) : refused;
  }
}

/** Forgets what was counted under keys, as `getKey` of their limiters has them. */
export async function deleteCounts({ orm }: Database, keys: readonly string[]): Promise<void> {
  await orm.delete(rateLimits).where(inArray(rateLimits.key, held(orm, keys)));
}

/** Takes one point from each of the counts under keys, as above. */
export async function refundPoints({ orm }: Database, keys: readonly string[]): Promise<void> {
  const points = sql`greatest(${rateLimits.points} - 1, 0)`;
  await orm
    .update(rateLimits)
    .set({ points })
    .where(inArray(rateLimits.key, held(orm, keys)));
}

/** Rows of counts, held in one order, so that no two who want several wait for each other. */
function held(orm: Database['orm'], keys: readonly string[]) {
  return orm
    .select({ key: rateLimits.key })
    .from(rateLimits)
    .where(inArray(rateLimits.key, [...keys]))
    .orderBy(rateLimits.key)
    .for('update');
}

/** Notes keys, as `getKey` of a limiter has them, as used once for so many seconds from now on; in one order as above. */
export async function storeKeys({ orm }: Database, keys: readonly string[], seconds: number): Promise<void> {
  const expire = Date.now() + seconds * 1_000;
  const rows = [...new Set(keys)].sort().map((key) => ({ key, points: 1, expire }));
  await orm
    .insert(rateLimits)
    .values(rows)
    .onConflictDoUpdate({ target: rateLimits.key, set: { points: 1, expire } });
}

/** Under which something is counted that a person typed: names can hold characters and lengths that the table refuses. */
export function digestKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function tooManyRequests(seconds: number): CallError {
  return new CallError('too_many_requests', { seconds: wholeSeconds(seconds) });
}

/** A wait as callers are told it: a whole number of seconds, from one to a day. */
export function wholeSeconds(seconds: number): number {
  return Number.isNaN(seconds) ? 1 : Math.min(DAY_SECONDS, Math.max(1, Math.ceil(seconds)));
}
