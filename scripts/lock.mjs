import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './paths.mjs';

/**
 * Runs `work` while no other process of this checkout runs work of the same name, and waits until then. The lock of a
 * process that died is removed.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(name, work) {
  const checkout = createHash('sha256').update(ROOT).digest('hex').slice(0, 16);
  // Not inside node_modules: installing empties it.
  const file = path.join(os.tmpdir(), `heron-${name}-${checkout}.lock`);
  let isWaiting = false;
  while (!acquire(file)) {
    if (!isWaiting) console.error(`Waiting for another ${name} in this folder …`);
    isWaiting = true;
    await delay(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  if (!isOwnerAlive(file)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function isOwnerAlive(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
