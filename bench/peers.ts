import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
/** Written last, so that it marks a complete installation; `npm ci` removes it first. */
const STAMP = path.join(HERE, 'node_modules', '.installed');

/**
 * Installs the peers into `bench/node_modules` unless they match the lockfile. Prints to stderr only.
 *
 * @throws Error when npm fails
 */
export function installPeers(): void {
  const wanted = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json']) wanted.update(readFileSync(path.join(HERE, file)));
  const stamp = wanted.digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  console.error('Installing the peers (npm ci in bench) …');
  const npm = process.env.npm_execpath;
  const [program, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const { status, error } = spawnSync(program, [...before, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: HERE,
    // stdout belongs to the figures.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error(`npm ci in bench failed${error === undefined ? '' : `: ${error.message}`}`);
  writeFileSync(STAMP, stamp);
}

/**
 * Loads a peer. Its name is not a literal in `import`, because a checkout without installed peers has no types for it.
 * `T` is the part of its documented interface that is used here.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}
