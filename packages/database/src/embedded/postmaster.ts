import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A PostgreSQL server as its own file `postmaster.pid` describes it. */
export type Postmaster = {
  readonly pid: number;
  readonly socketFolder: string;
  /** It has come up and takes connections (or is a standby); false while it starts, recovers or stops. */
  readonly ready: boolean;
};

/**
 * The server that runs on this database folder now, or null.
 *
 * The file outlives a server that was killed, and its process number may since belong to something else; on Linux the
 * working directory tells, because a PostgreSQL server always works in its database folder.
 */
export function findPostmaster(clusterFolder: string): Postmaster | null {
  const lines = readLines(path.join(clusterFolder, 'postmaster.pid'));
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !runsIn(pid, clusterFolder)) return null;
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** Whether process `pid` is alive and, where that can be seen, works in `folder`. */
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

/** First lines of a lock file; none when it does not exist or is being written. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
