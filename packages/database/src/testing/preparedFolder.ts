import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '../embedded/startEmbedded.ts';
import { migrate } from '../migrate.ts';
import { withConnection, withLock } from './serverConnection.ts';

/** An arbitrary number, so that only one test file prepares folders. */
const PREPARE_LOCK = 4_837_204;
/** PostgreSQL's state of a cluster that was shut down cleanly, and its place in the control file. */
const SHUT_DOWN = 1;
const STATE_OFFSET = 16;
/** A busy machine may need several. */
const MAX_STOPS = 10;

/**
 * Copies a data folder that one test file of a Vitest run prepares for all, because a new database cluster takes two
 * seconds of processor time. The copy has the same owners and modes, which PostgreSQL checks.
 *
 * @param name distinguishes it from the other prepared folders of the run
 * @param target folder of the copy; its parent exists
 * @param prepare creates the folder with its database, and stops what it has started
 */
export async function copyPrepared(
  name: string,
  target: string,
  prepare: (folder: string) => Promise<void>,
): Promise<void> {
  const run = process.env.HERON_TEST_CLUSTER;
  if (run === undefined) throw new Error('folders are prepared for a Vitest run with `testCluster.ts` only');
  const prepared = path.join(run, name);
  const { url } = await startEmbedded(run);
  await withConnection(url, (client) =>
    withLock(client, PREPARE_LOCK, async () => {
      if (existsSync(prepared)) return;
      const draft = `${prepared}.${process.pid}`;
      // An earlier attempt may have failed half-way.
      await rm(draft, { recursive: true, force: true });
      await prepare(draft);
      await shutDown(draft);
      renameSync(draft, prepared);
    }),
  );
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, target]);
}

/** Copies a data folder with all migrations, whose server does not run. @param target see `copyPrepared` */
export function copyMigratedCluster(target: string): Promise<void> {
  return copyPrepared('cluster', target, async (folder) => {
    const server = await startEmbedded(folder);
    await migrate(server.url);
    await server.stop('fast');
  });
}

/** Shuts the database of a folder down cleanly: a stop is forced after 1.5 s, and each copy would have to recover. */
async function shutDown(dataFolder: string): Promise<void> {
  for (let attempt = 1; !isShutDown(dataFolder); attempt++) {
    if (attempt > MAX_STOPS) throw new Error(`the database of ${dataFolder} does not shut down cleanly`);
    await (await startEmbedded(dataFolder)).stop('fast');
  }
}

function isShutDown(dataFolder: string): boolean {
  const control = readFileSync(path.join(dataFolder, 'postgres', 'global', 'pg_control'));
  return control.readUInt32LE(STATE_OFFSET) === SHUT_DOWN;
}
