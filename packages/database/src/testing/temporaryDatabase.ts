import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { startEmbedded } from '../embedded/startEmbedded.ts';
import { migrate } from '../migrate.ts';
import { withConnection, withLock } from './serverConnection.ts';

/** A database for one test file, on a real PostgreSQL server. */
export type TemporaryDatabase = {
  /** For `openDatabase`. */
  readonly url: string;
  /** Drops the database and closes all its connections. */
  close(): Promise<void>;
};

/** The migrated database from which the others of a server are copied, which takes a tenth of the migrations. */
const TEMPLATE = 'migrated';
/** An arbitrary number, so that only one test file makes the template. */
const TEMPLATE_LOCK = 4_837_203;

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
  await withConnection(server.url, async (client) => {
    if (options.migrated === false) return client.query(`create database ${name}`);
    await withLock(client, TEMPLATE_LOCK, () => makeTemplate(client, server.url));
    // Copies files. The other strategy writes each page to the log as well, and takes three times as long.
    return client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return {
    url: urlOf(server.url, name),
    async close() {
      await withConnection(server.url, (client) => client.query(`drop database ${name} with (force)`));
      if (shared !== undefined) return;
      await server.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the template unless the server has it. Only a finished one rejects connections, which would block copies. */
async function makeTemplate(client: pg.Client, url: string): Promise<void> {
  const finished = await client.query('select from pg_database where datname = $1 and not datallowconn', [TEMPLATE]);
  if (finished.rowCount !== 0) return;
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE}`);
  await migrate(urlOf(url, TEMPLATE));
  await client.query(`alter database ${TEMPLATE} allow_connections false`);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}
