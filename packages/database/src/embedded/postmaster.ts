import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A running PostgreSQL server, as its file `postmaster.pid` describes it. */
export type Postmaster = {
  readonly pid: number;
  readonly socketFolder: string;
  /** Whether it accepts connections (or is a standby); false while it starts, recovers or stops. */
  readonly ready: boolean;
};

/**
 * Returns the server that runs on a database folder, or null.
 *
 * The file remains after a server was killed, and another process may have its id. On Linux the working directory
 * distinguishes them, because a PostgreSQL server works in its database folder.
 */
export function findPostmaster(clusterFolder: string): Postmaster | null {
  const lines = readLines(path.join(clusterFolder, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !runsIn(pid, clusterFolder)) return null;
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** Returns whether a process is alive and, where this can be checked, works in `folder`. */
export function runsIn(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the lines of a lock file; none when it does not exist. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
