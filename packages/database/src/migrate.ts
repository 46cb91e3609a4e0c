import path from 'node:path';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import { DatabaseNewer, DatabaseOlder, DatabaseUnreachable } from './errors.ts';

/** Sets of migrations in one database. Each set has its own PostgreSQL schema. */
export const MIGRATION_SETS = ['accounts', 'bots'] as const;

/** One set of migrations on disk. */
type SetOnDisk = { readonly set: string; readonly folder: string; readonly migrations: readonly MigrationMeta[] };

/** An arbitrary number, the same in all versions of Heron, so that two programs never migrate at once. */
const MIGRATION_LOCK = 4_837_201;
const HISTORY_SCHEMA = 'migrations';

/**
 * Applies all missing migrations.
 *
 * Safe to call from several programs at once. Each set is applied in one transaction.
 *
 * @param url see `openDatabase`
 * @param options.folder of the sets, for tests; one folder per set, with its name
 * @throws DatabaseNewer when the database has a migration that this program does not know
 * @throws DatabaseUnreachable
 */
export async function migrate(url: string, options: { folder?: string } = {}): Promise<void> {
  await withPendingSets(url, options.folder, async (client, pending) => {
    if (pending.length > 0) await apply(client, pending);
  });
}

/**
 * Checks that all migrations are applied, and changes nothing.
 *
 * @throws DatabaseNewer, DatabaseOlder
 * @throws DatabaseUnreachable
 */
export async function checkMigrated(url: string): Promise<void> {
  await withPendingSets(url, undefined, async (_client, pending) => {
    if (pending.length > 0) throw new DatabaseOlder();
  });
}

/** Calls `action` with the sets that miss migrations, under a lock. */
async function withPendingSets(
  url: string,
  folder: string | undefined,
  action: (client: pg.Client, pending: readonly SetOnDisk[]) => Promise<void>,
): Promise<void> {
  const root = folder ?? path.join(import.meta.dirname, '..', 'migrations');
  const sets = MIGRATION_SETS.map((set): SetOnDisk => {
    const onDisk = path.join(root, set);
    return { set, folder: onDisk, migrations: readMigrationFiles({ migrationsFolder: onDisk }) };
  });
  const client = new pg.Client({ connectionString: url, application_name: 'heron migrate' });
  client.on('error', () => {}); // When the server stops, the running query fails too.
  try {
    await client.connect();
  } catch (cause) {
    throw new DatabaseUnreachable('to migrate it', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  try {
    // The lock belongs to the connection, so that it ends with the program.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const pending: SetOnDisk[] = [];
    for (const onDisk of sets) {
      const applied = await appliedHashes(client, onDisk.set);
      const known = new Set(onDisk.migrations.map((migration) => migration.hash));
      if (applied.some((hash) => !known.has(hash))) throw new DatabaseNewer(onDisk.set);
      if (applied.length < onDisk.migrations.length) pending.push(onDisk);
    }
    await action(client, pending);
  } finally {
    await client.end();
  }
}

async function appliedHashes(client: pg.Client, set: string): Promise<string[]> {
  const found = await client.query<{ table: string | null }>('select to_regclass($1)::text as table', [
    `${HISTORY_SCHEMA}.${set}`,
  ]);
  if (found.rows[0]?.table == null) return [];
  const rows = await client.query<{ hash: string }>(`select hash from ${HISTORY_SCHEMA}."${set}"`);
  return rows.rows.map((row) => row.hash);
}

/** Loads the query builder of drizzle only when it is needed, because it takes a tenth of a second. */
async function apply(client: pg.Client, pending: readonly SetOnDisk[]): Promise<void> {
  const [{ drizzle }, migrator] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const orm = drizzle(client);
  for (const { set, folder } of pending) {
    await migrator.migrate(orm, { migrationsFolder: folder, migrationsSchema: HISTORY_SCHEMA, migrationsTable: set });
  }
}
