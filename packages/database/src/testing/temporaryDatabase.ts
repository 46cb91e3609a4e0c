import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../embedded/startEmbedded.ts';
import { migrate } from '../migrate.ts';

/** A database for one test file, on a real PostgreSQL server. */
export type TemporaryDatabase = {
  /** For `openDatabase`. */
  readonly url: string;
  /** Drops the database and closes all its connections. */
  close(): Promise<void>;
};

/**
 * Creates a database with all migrations.
 *
 * The server is shared by the whole Vitest run (`testCluster.ts`) and started on demand. Outside such a run it is a
 * server of its own, stopped by `close`.
 *
 * @param options.migrated false leaves the database without tables
 */
export async function temporaryDatabase(options: { migrated?: boolean } = {}): Promise<TemporaryDatabase> {
  const shared = process.env.HERON_TEST_CLUSTER;
  const folder = shared ?? mkdtempSync(path.join(os.tmpdir(), 'heron-test-'));
  const server = await startEmbedded(folder);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  if (options.migrated !== false) await migrate(url.href);
  return {
    url: url.href,
    async close() {
      await execute(server.url, `drop database ${name} with (force)`);
      if (shared !== undefined) return;
      await server.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
