import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/**
 * Installs Debian packages with apt-get where this is Debian and the user is root. Names the packages before it does.
 *
 * @param {string} purpose of the packages, for that message
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installFromDebian(purpose, packages) {
  if (!canInstall()) return false;
  console.error(`${purpose}: installing ${packages.join(', ')} with apt-get …`);
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

function canInstall() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}
