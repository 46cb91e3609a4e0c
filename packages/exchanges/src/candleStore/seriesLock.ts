import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Another program writes the same candles. */
class SeriesInUse extends Error {
  override readonly name = 'SeriesInUse';
}

/**
 * Locks a file of the store until it is released. The lock of a killed program is taken over.
 *
 * @returns a function that releases the file
 * @throws SeriesInUse
 */
export async function lockSeries(file: string): Promise<() => Promise<void>> {
  const lock = `${file}.lock`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${lock}.${process.pid}`;
  for (let tries = 0; ; tries++) {
    try {
      // A link appears together with its content, so that a lock always names its holder.
      await writeFile(draft, String(process.pid));
      await link(draft, lock);
      await sweepDrafts(lock);
      return () => rm(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (tries > 0 || isAlive(holder)) {
      throw new SeriesInUse(
        `${file} is being written by process ${holder}; wait for it, or remove ${lock} when there is no such process of Heron`,
      );
    }
    await rm(lock, { force: true });
  }
}

/** Removes lock drafts of programs that were killed while locking. */
async function sweepDrafts(lock: string): Promise<void> {
  const folder = path.dirname(lock);
  const start = `${path.basename(lock)}.`;
  for (const name of await readdir(folder)) {
    if (name.startsWith(start) && !isAlive(Number(name.slice(start.length))))
      await rm(path.join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
