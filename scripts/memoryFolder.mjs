import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'heron-tests-';
/** A whole run was seen to hold less than one at a time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Runs tests with a folder in memory for their temporary files, where Linux has one with room: on a disk the file system takes
 * a fifth of each start of Heron, most of it for databases that are deleted seconds later. Their processes are killed, never
 * the machine, and what they wrote outlives that here as it does there.
 *
 * @param {(env: NodeJS.ProcessEnv) => Promise<number>} work is told what its processes have in their environment
 * @returns {Promise<number>} what `work` returns
 */
export async function withMemoryFolder(work) {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return work({});
  removeAbandoned();
  const folder = mkdtempSync(path.join(MEMORY, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711); // Tests run programs as somebody else, who must get through, as in /tmp.
  try {
    return await work({ TMPDIR: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function hasRoom() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return false;
    // What the folder may take, and what the machine has.
    const { bavail, bsize } = statfsSync(MEMORY);
    const available = Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    return bavail * bsize >= ENOUGH_BYTES && available >= 2 * ENOUGH_BYTES;
  } catch {
    return false; // No Linux.
  }
}

/** What runs left behind that were killed. */
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
