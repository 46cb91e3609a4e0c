import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'heron-tests-';
/** More than four times what a whole test run has been measured to use. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Runs tests with a folder in memory for their temporary files, where Linux has one with enough space. On a disk the file
 * system takes a fifth of each start of Heron, mostly for databases that are deleted seconds later. Tests that kill processes
 * remain valid, because files in memory survive the end of a process as files on a disk do.
 *
 * @param {(env: NodeJS.ProcessEnv) => Promise<number>} work receives the environment for its processes
 * @returns {Promise<number>} the result of `work`
 */
export async function withMemoryFolder(work) {
  if (process.env.TMPDIR !== undefined || !hasSpace()) return work({});
  removeAbandoned();
  const folder = mkdtempSync(path.join(MEMORY, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711); // Tests run programs as another user, who needs access, as in /tmp.
  try {
    return await work({ TMPDIR: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function hasSpace() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return false;
    // The folder is limited by its own size and by the memory of the machine.
    const { bavail, bsize } = statfsSync(MEMORY);
    const available = Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    return bavail * bsize >= ENOUGH_BYTES && available >= 2 * ENOUGH_BYTES;
  } catch {
    return false; // Not Linux.
  }
}

/** Removes the folders of test runs that were killed. */
function removeAbandoned() {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue;
    rmSync(path.join(MEMORY, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
