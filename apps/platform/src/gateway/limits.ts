import { createHash } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { rateLimits } from '@heron/database/schema/accounts.ts';
import { inArray } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

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
export async function take(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooMany(refused.msBeforeNext / 1_000) : refused;
  }
}

/** Forgets what was counted under keys, as `getKey` of their limiters has them. In one order, so that no two wait for each other. */
export async function forgetCounts({ orm }: Database, keys: readonly string[]): Promise<void> {
  const held = orm
    .select({ key: rateLimits.key })
    .from(rateLimits)
    .where(inArray(rateLimits.key, [...keys]))
    .orderBy(rateLimits.key)
    .for('update');
  await orm.delete(rateLimits).where(inArray(rateLimits.key, held));
}

/** Notes keys, as `getKey` of a limiter has them, as used once for so many seconds from now on; in one order as above. */
export async function noteKeys({ orm }: Database, keys: readonly string[], seconds: number): Promise<void> {
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

export function tooMany(seconds: number): CallError {
  return new CallError('too_many_requests', { seconds: Math.max(1, Math.ceil(seconds)) });
}
