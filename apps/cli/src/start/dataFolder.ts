import { randomBytes } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DataFolderUnusable } from '@heron/database/errors.ts';

/**
 * Creates the data folder, which only this user can enter. An existing folder keeps its permissions.
 *
 * @throws DataFolderUnusable when it cannot be created or written
 */
export function prepareDataFolder(folder: string): void {
  try {
    if (!makeFolders(path.resolve(folder))) accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // An existing folder keeps the permissions that its owner chose; each secret file in it has its own.
  } catch (cause) {
    throw new DataFolderUnusable(folder, (cause as NodeJS.ErrnoException).code ?? String(cause), { cause });
  }
}

/** Makes a folder and those above it, one by one: Node's own recursion never ends where a folder cannot be made. */
function makeFolders(folder: string): boolean {
  const isFolder = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return false;
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    // Another start may have made it at this moment.
    if (!isFolder()) throw cause;
  }
  return true;
}

/**
 * Returns the secret with which platform and bot host authenticate each other: 32 random bytes in hex. The first start
 * generates it and writes it to a file that only this user can read.
 *
 * @param options.make false for a machine that joins another one: its secret is the other's
 * @throws DataFolderUnusable
 */
export function sharedSecret(folder: string, { make = true }: { make?: boolean } = {}): string {
  const file = path.join(folder, 'secret');
  try {
    return readSecret(file);
  } catch (cause) {
    if (cause instanceof SecretDamaged) throw cause;
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(file, cause);
    if (!make) throw new SecretMissing(file);
  }
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
    // A link, unlike a rename, does not replace what another start has put there a moment ago.
    linkSync(draft, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, cause);
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(file);
}

/** The secret of a data folder was changed after a start wrote it. */
class SecretDamaged extends Error {
  constructor(file: string) {
    super(`${file} is damaged. Remove it, and the next start creates a new one.`);
    this.name = 'SecretDamaged';
  }
}

/** A machine that joins another one has not been given its secret. */
class SecretMissing extends Error {
  constructor(file: string) {
    super(`${file} is missing. Copy it from the data folder of the first machine.`);
    this.name = 'SecretMissing';
  }
}

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8');
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new SecretDamaged(file);
  return secret;
}

function unusable(file: string, cause: unknown): DataFolderUnusable {
  return new DataFolderUnusable(file, (cause as NodeJS.ErrnoException).code ?? String(cause), { cause });
}
