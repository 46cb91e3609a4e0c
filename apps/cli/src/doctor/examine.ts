import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { checkServer } from '@heron/database/checkServer.ts';
import { locateBinaries } from '@heron/database/embedded/binaries.ts';
import { findPostmaster } from '@heron/database/embedded/postmaster.ts';
import { LOOPBACK, STANDARD_PORTS } from '../start/settings.ts';

/** Result of one check. */
export type Finding = { readonly ok: boolean; readonly what: string; readonly detail: string };

const NEEDED_MAJOR = 24;
const LITTLE_SPACE_BYTES = 500_000_000;

/**
 * Examines the machine without changing anything.
 *
 * @param subject.dataFolder may not exist yet
 * @param subject.databaseUrl the user's own server, or null for the embedded one
 */
export async function examine(subject: { dataFolder: string; databaseUrl: string | null }): Promise<Finding[]> {
  const folder = path.resolve(subject.dataFolder);
  const running = findPostmaster(path.join(folder, 'postgres')) !== null;
  return [
    node(),
    dataFolder(folder),
    await database(subject.databaseUrl, running),
    ...(await Promise.all(Object.entries(STANDARD_PORTS).map(([name, port]) => portFree(name, port)))),
  ];
}

function node(): Finding {
  const ok = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
  return {
    ok,
    what: 'Node',
    detail: ok ? process.versions.node : `${process.versions.node}; run "npm ci" and use "npm start"`,
  };
}

function dataFolder(folder: string): Finding {
  const what = 'Data folder';
  let existing = folder;
  while (!existsSync(existing)) existing = path.dirname(existing);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { ok: false, what, detail: `${existing} is not writable; choose another with --data or HERON_DATA` };
  }
  const { bavail, bsize } = statfsSync(existing);
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
  if (bavail * bsize < LITTLE_SPACE_BYTES)
    return {
      ok: false,
      what,
      detail: `${folder} has only ${free}; free some space, or choose another folder with --data`,
    };
  return { ok: true, what, detail: `${folder} (${existing === folder ? free : `will be created; ${free}`})` };
}

async function database(url: string | null, running: boolean): Promise<Finding> {
  const what = 'Database';
  try {
    if (url !== null) return { ok: true, what, detail: `HERON_DATABASE_URL: ${await checkServer(url)}` };
    locateBinaries();
    return { ok: true, what, detail: `built in, ${running ? 'running' : 'not running'}` };
  } catch (error) {
    return { ok: false, what, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Reports a taken port. It may be Heron itself that listens on it, which only the user can know. */
function portFree(name: string, port: number): Promise<Finding> {
  const what = `Port ${port}`;
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve({
        ok: false,
        what,
        detail: `${name}: ${error.code === 'EADDRINUSE' ? 'in use (by a running Heron?)' : error.message}`,
      });
    });
    probe.listen(port, LOOPBACK, () => probe.close(() => resolve({ ok: true, what, detail: `${name}: free` })));
  });
}
