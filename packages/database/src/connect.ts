import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** An open database: `orm` for typed queries, `pool` for what drizzle cannot say. */
export type Database = {
  readonly orm: NodePgDatabase;
  readonly pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
};

/**
 * An answer that has not come by then will not: a network that swallows packets ends no connection for many minutes. The
 * query fails, the connection is given up, and whoever needs an answer asks on another one.
 */
const ANSWER_MS = 10_000;

/**
 * Opens a pool of connections. Nothing is sent until the first query, so that a database that is down shows itself there.
 *
 * @param url `postgresql://user:password@host:port/database`, or with `?host=/folder` a Unix socket
 * @param options.connections largest number of connections, default 10
 * @param options.hasty commits are not waited for: what was written in the last second may be gone when the server dies. For
 *   counters that slow somebody down, never for what somebody relies on
 */
export function openDatabase(url: string, options: { connections?: number; asyncCommit?: boolean } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'heron',
    ...(options.asyncCommit === true && { onConnect: dontWait }),
  });
  // An idle connection that breaks (server restarted) has no query to fail: the pool drops it and opens another. Without
  // a listener Node would end the process instead.
  pool.on('error', () => {});
  // The same for one that breaks between two queries of a transaction: the next query fails and says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { orm: drizzle(pool), pool, close: () => pool.end() };
}

async function dontWait(client: pg.ClientBase): Promise<void> {
  await client.query('set synchronous_commit to off');
}
