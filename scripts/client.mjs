import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { runNode } from './run.mjs';

const CLIENT = path.join(ROOT, 'apps', 'client');
const DIST = path.join(CLIENT, 'dist');
const STAMP = path.join(DIST, '.sources');
const BUILDING = 'dist.building';
/** What ends up in the bundle: the client and the rooms that it imports, and the versions of everything else. */
const SOURCES = ['apps/client', 'packages/contract/src', 'packages/engine/src', 'package-lock.json'];

/** Builds the client when its sources changed since the last build. @returns {Promise<number>} 0, or Vite's exit code */
export async function buildClient() {
  if (isBuilt(sourceHash())) return 0;
  return exclusively('build', async () => {
    const hash = sourceHash();
    if (isBuilt(hash)) return 0;
    console.error('Building the client …');
    // Built beside and renamed, so that a running server never serves half a client.
    const building = path.join(CLIENT, BUILDING);
    const vite = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
    try {
      const args = ['build', '--outDir', BUILDING, '--emptyOutDir', '--logLevel', 'warn'];
      const code = await runNode([vite, ...args], { cwd: CLIENT, env: { NODE_ENV: 'production' } });
      if (code !== 0) return code;
      writeFileSync(path.join(building, path.basename(STAMP)), hash);
      rmSync(DIST, { recursive: true, force: true });
      renameSync(building, DIST);
      return 0;
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  });
}

/** @param {string} hash */
function isBuilt(hash) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, path.join(ROOT, source));
  return hash.digest('hex');
}

/** @param {import('node:crypto').Hash} hash @param {string} file a file or a folder */
function addTo(hash, file) {
  const name = path.basename(file);
  if (name === 'node_modules' || name.startsWith('dist') || name.startsWith('.') || /\.test\.tsx?$/.test(name)) return;
  const entries = readFolder(file);
  if (entries === null) hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0');
  else for (const entry of entries.sort()) addTo(hash, path.join(file, entry));
}

/** @param {string} file @returns {string[] | null} null for a file */
function readFolder(file) {
  try {
    return readdirSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return null;
    throw error;
  }
}
