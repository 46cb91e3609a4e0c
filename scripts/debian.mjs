import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/**
 * Installs Debian's packages with apt-get, where this is Debian and we are root.
 *
 * @param {string} what for the line that tells of it
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installFromDebian(what, packages) {
  if (process.getuid?.() !== 0 || !isDebian()) return false;
  console.error(`Installing ${what} from Debian (apt-get) …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const code =
    (await run('apt-get', ['update', '-qq'], { env })) ||
    (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env }));
  return code === 0;
}

/** @param {string} name @returns {string | null} the first program of that name on the PATH */
export function programNamed(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

/** @param {string} file */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebian() {
  if (!existsSync('/etc/os-release')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}
