import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findPostmaster, isAlive } from '../embedded/postmaster.ts';
import { startEmbedded } from '../embedded/startEmbedded.ts';

const PREFIX = 'heron-vitest-';

/**
 * Vitest's `globalSetup`: chooses the folder of the database server that all test files share, and of what they prepare
 * for each other (`preparedFolder.ts`). The first `temporaryDatabase` starts the server. Stops and removes it at the
 * end, also for earlier runs that were killed.
 */
export default async function testCluster(): Promise<() => Promise<void>> {
  await removeAbandoned();
  const folder = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711); // Another user may have to run the servers of prepared folders.
  process.env.HERON_TEST_CLUSTER = folder;
  return () => remove(folder);
}

async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue;
    await remove(path.join(os.tmpdir(), name));
  }
}

async function remove(folder: string): Promise<void> {
  if (existsSync(path.join(folder, 'postgres')) && findPostmaster(path.join(folder, 'postgres')) !== null) {
    const server = await startEmbedded(folder);
    await server.stop('immediate');
  }
  await rm(folder, { recursive: true, force: true });
}
