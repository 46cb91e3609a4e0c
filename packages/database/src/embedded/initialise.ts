import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedFailed } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './postmaster.ts';
import { runAs, type ServerUser } from './serverUser.ts';

/** Name of the database and of its owner. */
export const DATABASE_NAME = 'heron';

/** Linux can sync a whole file system in one call. */
const SYNC = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];

/**
 * Creates a database folder atomically: builds it beside the target, syncs it to the disk, and renames it. When two
 * programs do this at once, the second one deletes its folder.
 *
 * @param clusterFolder target; its parent exists
 * @throws EmbeddedFailed
 */
export async function initialise(
  clusterFolder: string,
  binaries: Binaries,
  user: ServerUser,
  signal?: AbortSignal,
): Promise<void> {
  await removeAbandoned(clusterFolder);
  const run = (program: string, args: readonly string[], input: string) => runToEnd(user, program, args, input, signal);
  const building = `${clusterFolder}.init-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(building, { mode: 0o700 });
    if (user.kind === 'account') chownSync(building, user.uid, user.gid);
    // PostgreSQL's own C.UTF-8 sorts the same on every machine, so that indexes stay valid after a move.
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    // Only users with access to the 0700 folder of the socket can connect, so no password is needed.
    const access = ['--auth=trust', `--username=${DATABASE_NAME}`];
    // Syncs once at the end, because syncing each file takes half of the time.
    await run(binaries.initdb, ['-D', building, ...locale, ...access, '--no-instructions', '--no-sync'], '');
    await run(binaries.postgres, ['--single', '-F', '-D', building, 'postgres'], `create database ${DATABASE_NAME}\n`);
    await run(binaries.initdb, ['-D', building, '--sync-only', ...SYNC], '');
    try {
      await rename(building, clusterFolder);
    } catch (error) {
      if (!existsSync(path.join(clusterFolder, 'PG_VERSION'))) {
        throw new EmbeddedFailed('create its folder', `${clusterFolder} exists, but is no database.`, null, {
          cause: error,
        });
      }
    }
    await syncFolder(path.dirname(clusterFolder));
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Removes folders of killed initialisations. */
async function removeAbandoned(clusterFolder: string): Promise<void> {
  const parent = path.dirname(clusterFolder);
  const prefix = `${path.basename(clusterFolder)}.init-`;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue;
    // Its initdb may still write there; the next start removes the rest.
    await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** Runs a PostgreSQL program to its end, with `input` and messages in English. */
function runToEnd(
  user: ServerUser,
  program: string,
  programArgs: readonly string[],
  input: string,
  signal?: AbortSignal,
): Promise<void> {
  const { command, args, options } = runAs(user, program, programArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      ...(signal === undefined ? {} : { signal }),
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const fail = (detail: string, cause?: unknown) =>
      reject(new EmbeddedFailed('create its folder', detail, null, { cause }));
    child.on('error', (error) => fail(error.message, error));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        fail(
          errors
            .trim()
            .split('\n')
            .find((line) => /error|fatal|panic/i.test(line)) ?? `exit code ${code}.`,
        );
    });
    child.stdin.on('error', () => {}); // A program that ends before it has read the input reports its error by the exit code.
    child.stdin.end(input);
  });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
