import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Database } from './connect.ts';
import { isQueryTimeout } from './queryTimeout.ts';

/** A connection within {@link inTransaction}. */
export type Transaction = NodePgDatabase;

/**
 * Runs `work` in one transaction, which is committed or rolled back as a whole.
 *
 * Replaces `transaction` of drizzle 0.45.4, which leaks a connection that breaks before `begin` has returned. After ten
 * restarts of the server its pool is empty.
 *
 * @throws the error of `work` after a rollback, or the error of a broken connection. When it breaks during the commit,
 *   the outcome is unknown
 */
export async function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(drizzle(client));
    await client.query('commit');
    return result;
  } catch (error) {
    // A rollback on a dead connection would also time out. Closing the connection rolls back too.
    if (isQueryTimeout(error)) broken = error;
    else {
      await client.query('rollback').catch((cause: unknown) => {
        broken = cause instanceof Error ? cause : new Error(String(cause));
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
