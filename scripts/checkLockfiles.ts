import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The fields of a package in a lockfile that this check reads. */
type Locked = { readonly integrity?: string; readonly link?: boolean; readonly inBundle?: boolean };

const ROOT = path.join(import.meta.dirname, '..');

/**
 * Returns the packages of a lockfile that npm would install without comparing them with a SHA-512 hash. Workspaces are
 * part of this repository. Bundled packages are part of another package, whose hash covers them.
 *
 * @param text content of a `package-lock.json` of version 3
 */
export function unverifiedPackages(text: string): string[] {
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> };
  return Object.entries(packages)
    .filter(([folder, { link, inBundle }]) => folder.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)
    .map(([folder]) => folder);
}

/** Returns the lockfiles of the repository, relative to its root. */
export function lockfiles(): string[] {
  return globSync(['package-lock.json', '*/package-lock.json', '{apps,packages}/*/package-lock.json'], { cwd: ROOT });
}

if (import.meta.main) {
  for (const file of lockfiles()) {
    for (const folder of unverifiedPackages(readFileSync(path.join(ROOT, file), 'utf8'))) {
      console.error(`${file}: ${folder} has no integrity. Add what "npm view <name>@<version> dist.integrity" prints.`);
      process.exitCode = 1;
    }
  }
}
