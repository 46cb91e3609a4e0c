import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { checkDurability } from './durability.ts';
import { DatabaseError, DatabaseOwned, DatabaseUnreachable } from './errors.ts';

/** Lock that only one program can hold on a database. It ends with the connection, however the program ends. */
export type OwnerLock = {
  /** Resolves when the connection has ended without a release, and the lock with it. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
};

/** An arbitrary number, the same in all versions of Heron. */
const OWNER_LOCK = 4_837_202;
const RETRY_MS = 100;

/**
 * Acquires the lock of the only `heron start` that may use this database.
 *
 * @param options.waitMs time to wait for a program that is about to end, default 5000
 * @param options.signal aborts the wait
 * @throws DatabaseOwned when another program still holds the lock
 * @throws DurabilityOff when the database could lose acknowledged commits
 * @throws DatabaseUnreachable
 */
export async function acquireOwnerLock(
  url: string,
  options: { waitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<OwnerLock> {
  const deadline = Date.now() + (options.waitMs ?? 5_000);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heron owner',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {}); // `end` always follows.
  try {
    await client.connect();
    await checkDurability(client);
    while (!(await tryLock(client))) {
      if (Date.now() > deadline) throw new DatabaseOwned();
      await delay(RETRY_MS, undefined, { signal: options.signal });
    }
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseUnreachable(addressOf(client), error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
  let released = false;
  return {
    lost: new Promise((resolve) => {
      lost.then(() => {
        if (!released) resolve();
      });
    }),
    async release() {
      released = true;
      await client.end();
    },
  };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const result = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [OWNER_LOCK]);
  return result.rows[0]?.held === true;
}

/** Returns the address of the server without the password. */
function addressOf(client: pg.Client): string {
  return `${client.database ?? ''} at ${client.host}:${client.port}`;
}
