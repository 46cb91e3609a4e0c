import type pg from 'pg';
import { DurabilityOff } from './errors.ts';

const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/**
 * Rejects a database that may lose acknowledged commits, because an order whose journal entry is lost could be sent
 * twice.
 *
 * @throws DurabilityOff with the settings that are off in sessions of this user
 */
export async function checkDurability(client: pg.Client): Promise<void> {
  const result = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [SETTINGS],
  );
  const off = result.rows.filter((row) => row.setting === 'off').map((row) => row.name);
  if (off.length > 0) throw new DurabilityOff(off);
}
