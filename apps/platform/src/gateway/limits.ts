import { createHash } from 'node:crypto';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
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

/** Under which something is counted that a person typed: names can hold characters and lengths that the table refuses. */
export function digestKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function tooMany(seconds: number): CallError {
  return new CallError('too_many_requests', { seconds: Math.max(1, Math.ceil(seconds)) });
}
