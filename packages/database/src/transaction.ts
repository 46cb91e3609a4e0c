import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Database } from './connect.ts';
import { isQueryTimeout } from './queryTimeout.ts';

/**
 * Runs `work` in one transaction: all of it is committed, or nothing.
 *
 * Instead of drizzle's own `transaction`, which never gives a connection back to the pool when it breaks before `begin` is
 * answered (0.45.4): ten restarts of the server, and the pool is empty for good.
 *
 * @throws what `work` throws, after a rollback; an error of the connection when it breaks. One that breaks while the commit
 *   is under way leaves open whether it was done.
 */
export async function inTransaction<T>(database: Database, work: (tx: NodePgDatabase) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(drizzle(client));
    await client.query('commit');
    return result;
  } catch (error) {
    // On a connection that does not answer a rollback would wait as long again; its end is a rollback too.
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
