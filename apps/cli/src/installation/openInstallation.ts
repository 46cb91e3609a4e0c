import path from 'node:path';
import type { Database } from '@heron/database/connect.ts';

/** The installation in a data folder, with what commands need to reach exchanges. */
export type Installation =
  | {
      readonly kind: 'known';
      readonly database: Database;
      /** Opens what is sealed in the database. */
      readonly secret: string;
      close(): Promise<void>;
    }
  /** Its database or its secret cannot be read. @property why in one line, without a full stop */
  | { readonly kind: 'unknown'; readonly why: string; close(): Promise<void> };

/** Opens the database of the Heron that uses a data folder. Starts nothing and changes nothing. */
export async function openInstallation(data: string): Promise<Installation> {
  try {
    return await openKnown(path.resolve(data));
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    return { kind: 'unknown', why, close: async () => {} };
  }
}

async function openKnown(data: string): Promise<Installation> {
  // Before drizzle is loaded.
  await import('@heron/database/quickDrizzle.ts');
  const [{ runningDatabaseUrl }, { secretOf }, { checkServer }, { checkMigrated }, { openDatabase }] =
    await Promise.all([
      import('./runningDatabase.ts'),
      import('../host/callHost.ts'),
      import('@heron/database/checkServer.ts'),
      import('@heron/database/migrate.ts'),
      import('@heron/database/connect.ts'),
    ]);
  const url = await runningDatabaseUrl(data);
  const secret = secretOf(data);
  // The check fails when a server has not responded for five seconds.
  await checkServer(url);
  await checkMigrated(url);
  const database = openDatabase(url, { connections: 2 });
  return { kind: 'known', database, secret, close: () => database.close() };
}
