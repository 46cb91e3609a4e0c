import path from 'node:path';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import { DatabaseNewer, DatabaseOlder, DatabaseUnreachable } from './errors.ts';

/** Sets of migrations that live side by side in one database, each with a PostgreSQL schema of its own. */
export const MIGRATION_SETS = ['accounts', 'bots'] as const;

/** What drizzle knows about one set on disk, and where it keeps the list of those that are applied. */
type SetOnDisk = { readonly set: string; readonly folder: string; readonly migrations: readonly MigrationMeta[] };

/** Any number does, as long as every version of Heron uses the same: two programs must not migrate at once. */
const MIGRATION_LOCK = 4_837_201;
const BOOK_SCHEMA = 'migrations';

/**
 * Brings the database to the state this program expects, or leaves it alone.
 *
 * Safe to call from several programs at once. A set is applied in one transaction.
 *
 * @param url see `openDatabase`
 * @param options.folder where the sets are, for tests; one folder a set, named after it
 * @throws DatabaseNewer when a migration is applied that this program does not have
 * @throws DatabaseUnreachable
 */
export async function migrate(url: string, options: { folder?: string } = {}): Promise<void> {
  await withPending(url, options.folder, async (client, pending) => {
    if (pending.length > 0) await apply(client, pending);
  });
}

/**
 * Looks whether the database is in the state that this program expects, and changes nothing.
 *
 * @throws DatabaseNewer, DatabaseOlder when it is not
 * @throws DatabaseUnreachable
 */
export async function checkMigrated(url: string): Promise<void> {
  await withPending(url, undefined, async (_client, pending) => {
    if (pending.length > 0) throw new DatabaseOlder();
  });
}

/** Tells `action` the sets that are not applied completely; nobody else migrates meanwhile. */
async function withPending(
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
  client.on('error', () => {}); // A server that stops in the middle fails the running query too.
  try {
    await client.connect();
  } catch (cause) {
    throw new DatabaseUnreachable('to migrate it', cause instanceof Error ? cause.message : String(cause), { cause });
  }
  try {
    // Belongs to the connection: a program that dies in the middle lets go of it.
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
    `${BOOK_SCHEMA}.${set}`,
  ]);
  if (found.rows[0]?.table == null) return [];
  const rows = await client.query<{ hash: string }>(`select hash from ${BOOK_SCHEMA}."${set}"`);
  return rows.rows.map((row) => row.hash);
}

/** Loaded only when there is work: drizzle's query builder costs a tenth of a second that a warm start need not pay. */
async function apply(client: pg.Client, pending: readonly SetOnDisk[]): Promise<void> {
  const [{ drizzle }, migrator] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const orm = drizzle(client);
  for (const { set, folder } of pending) {
    await migrator.migrate(orm, { migrationsFolder: folder, migrationsSchema: BOOK_SCHEMA, migrationsTable: set });
  }
}
