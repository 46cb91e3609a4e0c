import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './lock.mjs';
import { NODE, ROOT } from './paths.mjs';
import { run } from './run.mjs';

/** Runs `npm ci` when `node_modules` is not what the lockfile says. @returns {Promise<number>} 0, or npm's exit code */
export async function install() {
  if (isInstalled()) return 0;
  return exclusively('install', async () => {
    if (isInstalled()) return 0;
    console.error('Installing packages (npm ci) …');
    const npm = process.env.npm_execpath;
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    const code = npm === undefined ? await run('npm', args) : await run(process.execPath, [npm, ...args]);
    if (code === 0 && !isInstalled()) {
      console.error(
        'npm ci succeeded, but node_modules does not match package-lock.json. Delete node_modules and try again.',
      );
      return 1;
    }
    return code;
  });
}

/**
 * Whether the list that npm leaves in `node_modules` after a complete installation agrees with the lockfile. Packages for
 * other machines (optional) may be absent.
 */
function isInstalled() {
  if (!existsSync(NODE)) return false;
  const wanted = packagesIn(path.join(ROOT, 'package-lock.json'));
  const found = packagesIn(path.join(ROOT, 'node_modules', '.package-lock.json'));
  if (wanted === null || found === null) return false;
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === '') return true;
    const there = found[where];
    if (there === undefined) return entry.optional === true || entry.devOptional === true;
    return there.version === entry.version && there.integrity === entry.integrity && there.link === entry.link;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean }> | null}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
