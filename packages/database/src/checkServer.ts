import pg from 'pg';
import { checkDurability } from './durability.ts';
import { DatabaseError, DatabaseUnreachable } from './errors.ts';

/**
 * Checks whether a server can be used, without changing it.
 *
 * @returns its name and version
 * @throws DatabaseUnreachable, DurabilityOff
 */
export async function checkServer(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heron doctor',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {}); // The running query fails with the same error.
  try {
    await client.connect();
    await checkDurability(client);
    const result = await client.query<{ server_version: string }>('show server_version');
    return `PostgreSQL ${result.rows[0]?.server_version}`;
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause;
    throw new DatabaseUnreachable(
      `at ${client.host}:${client.port}`,
      cause instanceof Error ? cause.message : String(cause),
      { cause },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
