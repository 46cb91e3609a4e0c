import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './lock.mjs';
import { ROOT } from './paths.mjs';
import { runNode } from './run.mjs';

const VITE = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const BUILDING = 'dist.building';
const STAMP = '.sources';

/**
 * A build that Vite writes into the folder `dist` of a workspace, with the settings of that workspace.
 *
 * @typedef {{ title: string, workspace: string, sources: readonly string[] }} Product `sources`: files and
 *   folders whose change requires a new build
 */

/** @type {Product} */
const CLIENT = {
  title: 'client',
  workspace: 'apps/client',
  sources: ['apps/client', 'packages/contract/src', 'packages/engine/src', 'package-lock.json'],
};

/** @type {Product} */
const ENGINE = {
  title: 'engine',
  workspace: 'packages/engine',
  sources: [
    'packages/engine/src',
    'packages/engine/package.json',
    'packages/engine/vite.config.ts',
    'package-lock.json',
  ],
};

/** Flags of Node with which imports of the engine resolve to its build. Errors still name the sources. */
const ENGINE_IN_ONE_FILE = ['--conditions=heron-built', '--enable-source-maps'];

/** Builds the client when its sources changed since the last build. @returns {Promise<number>} 0, or Vite's exit code */
export function buildClient() {
  return build(CLIENT);
}

/**
 * Bundles the engine into one file when its sources changed since the last build. Where that fails, the engine runs from its
 * sources, which is slower.
 *
 * @returns {Promise<readonly string[]>} flags of Node that select the build; none when the build failed
 */
export async function engineInOneFile() {
  try {
    const code = await build(ENGINE);
    if (code === 0) return ENGINE_IN_ONE_FILE;
    if (code > 128) process.exit(code); // A signal has stopped the build, so that the run must not continue without it.
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  console.error('The engine could not be bundled; it runs from its sources, which is slower.');
  return [];
}

/** @param {Product} product @returns {Promise<number>} 0, or Vite's exit code */
async function build(product) {
  if (isBuilt(product, hashOf(product))) return 0;
  return exclusively('build', async () => {
    const hash = hashOf(product);
    if (isBuilt(product, hash)) return 0;
    console.error(`Building the ${product.title} …`);
    // Built in another folder and renamed, so that no process reads half of a build.
    const folder = path.join(ROOT, product.workspace);
    const building = path.join(folder, BUILDING);
    const dist = path.join(folder, 'dist');
    try {
      const args = ['build', '--outDir', BUILDING, '--emptyOutDir', '--logLevel', 'warn'];
      const code = await runNode([VITE, ...args], { cwd: folder, env: { NODE_ENV: 'production' } });
      if (code !== 0) return code;
      writeFileSync(path.join(building, STAMP), hash);
      rmSync(dist, { recursive: true, force: true });
      renameSync(building, dist);
      return 0;
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  });
}

/** @param {Product} product @param {string} hash of its sources */
function isBuilt({ workspace }, hash) {
  const stamp = path.join(ROOT, workspace, 'dist', STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** @param {Product} product */
function hashOf({ sources }) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, path.join(ROOT, source));
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
