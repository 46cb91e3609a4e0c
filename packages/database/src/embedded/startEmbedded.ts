import { spawn } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DataFolderUnusable, EmbeddedFailed } from '../errors.ts';
import { type Binaries, locateBinaries, POSTGRES_MAJOR } from './binaries.ts';
import { DATABASE_NAME, initialise } from './initialise.ts';
import { findPostmaster, isAlive, type Postmaster, readLines, runsIn } from './postmaster.ts';
import { chooseServerUser, type Machine, runAs, type ServerUser } from './serverUser.ts';
import { prepareSocketFolder } from './socketFolder.ts';

/** A PostgreSQL server on a data folder of Heron. It runs until `stop` is called, even when this program ends. */
export type EmbeddedServer = {
  /** For `openDatabase`. */
  readonly url: string;
  readonly pid: number;
  /** The server was already running, for example because its program was killed. */
  readonly adopted: boolean;
  /**
   * Stops the server, whichever program has started it.
   *
   * @param how `fast` closes all connections and writes a checkpoint; `immediate` does not, so that the next start
   *   recovers
   */
  stop(how: 'fast' | 'immediate'): Promise<void>;
};

/** Time to wait until another program releases the folder, or backends of a killed server end. */
const LOCK_WAIT_MS = 30_000;
/** Time that a server has to recover after a crash. */
const RECOVERY_WAIT_MS = 600_000;
/** Time for a fast shutdown with a checkpoint. On a slower disk the next start recovers. */
const FAST_STOP_MS = 1_500;
/** Limits the wait for the process entry, which remains in containers whose first process does not reap children. */
const REAP_TIMEOUT_MS = 500;
const MAX_LOG_BYTES = 10_000_000;

/**
 * Starts PostgreSQL on `<dataFolder>/postgres`, or adopts a running server. Creates the database on the first start.
 * The server listens only on a Unix socket in a folder that only this user can enter.
 *
 * Recovers from a killed server, a killed program and an interrupted first start.
 *
 * @param options.signal aborts waiting and the creation; a started server stays
 * @param options.machine for tests of other users and kernels
 * @throws DataFolderUnusable, EmbeddedUnavailable, EmbeddedFailed
 */
export async function startEmbedded(
  dataFolder: string,
  { signal, machine }: { signal?: AbortSignal | undefined; machine?: Machine } = {},
): Promise<EmbeddedServer> {
  const folder = prepareDataFolder(dataFolder);
  const clusterFolder = path.join(folder, 'postgres');
  const binaries = locateBinaries();
  const programs = path.dirname(binaries.postgres);
  const logFile = path.join(folder, 'postgres.log');
  const lockDeadline = Date.now() + LOCK_WAIT_MS;

  for (;;) {
    signal?.throwIfAborted();
    const running = findPostmaster(clusterFolder);
    if (running !== null) {
      if (await accepts(running, clusterFolder)) return describe(running, clusterFolder, true);
    } else {
      const user = chooseServerUser({ dataFolder: folder, clusterFolder, programs }, machine);
      if (!existsSync(path.join(clusterFolder, 'PG_VERSION'))) await initialise(clusterFolder, binaries, user, signal);
      checkMajor(clusterFolder);
      const socketFolder = prepareSocketFolder(folder, user);
      clearStaleLocks(clusterFolder, socketFolder);
      const outcome = await launch({ clusterFolder, socketFolder, logFile, binaries, user });
      if (outcome.kind === 'started') {
        if (await accepts(outcome.server, clusterFolder)) return describe(outcome.server, clusterFolder, false);
      } else if (outcome.kind === 'failed') {
        throw new EmbeddedFailed('start', outcome.detail, logFile);
      }
    }
    checkLockDeadline();
    await delay(50);
  }

  function checkLockDeadline(): void {
    if (Date.now() <= lockDeadline) return;
    throw new EmbeddedFailed('start', `another server holds ${clusterFolder} and does not answer.`, logFile);
  }
}

/** Creates the data folder and checks that it can be written. @returns its real path */
function prepareDataFolder(dataFolder: string): string {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataFolder);
  } catch (cause) {
    throw new DataFolderUnusable(path.resolve(dataFolder), (cause as NodeJS.ErrnoException).code ?? String(cause), {
      cause,
    });
  }
}

function checkMajor(clusterFolder: string): void {
  const major = readFileSync(path.join(clusterFolder, 'PG_VERSION'), 'utf8').trim();
  if (major !== POSTGRES_MAJOR) {
    throw new EmbeddedFailed(
      'start',
      `${clusterFolder} was made by PostgreSQL ${major}, this is ${POSTGRES_MAJOR}. Restore a backup into a new data folder.`,
      null,
    );
  }
}

/**
 * Removes lock files of dead processes. PostgreSQL does not remove them when another process has the same id, as is
 * usual after a restart of a container.
 */
function clearStaleLocks(clusterFolder: string, socketFolder: string): void {
  for (const file of [path.join(clusterFolder, 'postmaster.pid'), path.join(socketFolder, '.s.PGSQL.5432.lock')]) {
    // A negative number in a lock file means a standalone backend.
    const pid = Math.abs(Number(readLines(file)[0]));
    if (pid > 0 && isAlive(pid) && !runsIn(pid, clusterFolder)) rmSync(file, { force: true });
  }
}

type Launch = { clusterFolder: string; socketFolder: string; logFile: string; binaries: Binaries; user: ServerUser };
type LaunchOutcome =
  | { readonly kind: 'started'; readonly server: Postmaster }
  /** Another server, or a remaining backend, holds the folder. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'failed'; readonly detail: string };

async function launch({ clusterFolder, socketFolder, logFile, binaries, user }: Launch): Promise<LaunchOutcome> {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
  };
  const { command, args, options } = runAs(user, binaries.postgres, [
    '-D',
    clusterFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  // Detached, so that Ctrl-C does not stop the server before the programs that use it.
  const child = spawn(command, args, {
    ...options,
    detached: true,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? `code ${code}`}.`;
  });
  const deadline = Date.now() + RECOVERY_WAIT_MS;
  for (;;) {
    if (ended !== null) {
      const said = readFileSync(logFile).subarray(logStart).toString();
      if (/lock file .* already exists|pre-existing shared memory block/.test(said)) return { kind: 'locked' };
      const reason = said.split('\n').findLast((line) => /(FATAL|PANIC):|error while loading/.test(line));
      return { kind: 'failed', detail: reason?.replace(/^.*?(FATAL|PANIC): */, '').concat('.') ?? ended };
    }
    const server = findPostmaster(clusterFolder);
    if (server?.ready && server.pid === child.pid) return { kind: 'started', server };
    if (Date.now() > deadline) return { kind: 'failed', detail: 'it still recovers after ten minutes.' };
    await delay(10);
  }
}

/** Returns whether the server accepts connections, which it does not while it starts or stops. */
async function accepts(server: Postmaster, clusterFolder: string): Promise<boolean> {
  if (!server.ready) return false;
  const client = new pg.Client({ connectionString: urlOf(server), connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // `connect` or `end` fails with the same error.
  try {
    await client.connect();
    await client.end();
  } catch {
    return false;
  }
  return runsIn(server.pid, clusterFolder);
}

function urlOf(server: Postmaster): string {
  return `postgresql://${DATABASE_NAME}@localhost/${DATABASE_NAME}?host=${encodeURIComponent(server.socketFolder)}`;
}

function describe(server: Postmaster, clusterFolder: string, adopted: boolean): EmbeddedServer {
  return { url: urlOf(server), pid: server.pid, adopted, stop: (how) => stopServer(server.pid, clusterFolder, how) };
}

async function stopServer(pid: number, clusterFolder: string, how: 'fast' | 'immediate'): Promise<void> {
  const began = Date.now();
  let sent: NodeJS.Signals | null = null;
  while (runsIn(pid, clusterFolder)) {
    const signal = how === 'immediate' || Date.now() - began > FAST_STOP_MS ? 'SIGQUIT' : 'SIGINT';
    if (signal !== sent) process.kill(pid, signal);
    sent = signal;
    await delay(10);
  }
  // The server has released the folder. Its process entry remains until its parent reaps it.
  const deadline = Date.now() + REAP_TIMEOUT_MS;
  while (isAlive(pid) && Date.now() < deadline) await delay(10);
}
