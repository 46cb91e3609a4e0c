import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** An open database: `orm` for typed queries, `pool` for queries that drizzle cannot express. */
export type Database = {
  readonly orm: NodePgDatabase;
  readonly pool: pg.Pool;
  /** Waits for running queries, then closes all connections. */
  close(): Promise<void>;
};

/**
 * Query timeout, after which the connection counts as dead. A network that drops packets keeps a dead connection open
 * for many minutes.
 */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Opens a pool of connections. Sends nothing before the first query, which fails when the database is down.
 *
 * @param url `postgresql://user:password@host:port/database`, or with `?host=/folder` a Unix socket
 * @param options.connections maximum number of connections, default 10
 * @param options.asyncCommit sets `synchronous_commit` to off: a crash of the server may lose the last second of
 *   writes. Only for counters of rate limits
 */
export function openDatabase(url: string, options: { connections?: number; asyncCommit?: boolean } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'heron',
    ...(options.asyncCommit === true && { onConnect: disableSynchronousCommit }),
  });
  // When an idle connection breaks, the pool opens another one. Without a listener Node would end the process.
  pool.on('error', () => {});
  // When a connection breaks between two queries of a transaction, the next query fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { orm: drizzle(pool), pool, close: () => pool.end() };
}

async function disableSynchronousCommit(client: pg.ClientBase): Promise<void> {
  await client.query('set synchronous_commit to off');
}
