import pg from 'pg';

/** Calls `action` with a connection of its own. */
export async function withConnection(url: string, action: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await action(client);
  } finally {
    await client.end();
  }
}

/**
 * Calls `action` while no other process has the lock. The lock belongs to the connection, so that it also ends with a
 * killed test file, and with the connection when `action` fails.
 *
 * @param key any number that nothing else locks
 */
export async function withLock(client: pg.Client, key: number, action: () => Promise<void>): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [key]);
  await action();
  await client.query('select pg_advisory_unlock($1)', [key]);
}
