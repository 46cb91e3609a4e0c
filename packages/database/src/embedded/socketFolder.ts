import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedUnavailable } from '../errors.ts';
import type { ServerUser } from './serverUser.ts';

/** Kernels truncate socket addresses after 107 bytes (Linux) or 103 (macOS). */
const MAX_ADDRESS_BYTES = 103;
/** PostgreSQL names its socket after the port, even when no port is open. */
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Creates the folder (0700) of the server's socket in the data folder. When that path is too long for a socket, it
 * creates the folder among the temporary files.
 *
 * @returns its absolute path
 */
export function prepareSocketFolder(dataFolder: string, user: ServerUser): string {
  const own = process.getuid?.() ?? 0;
  const name = `heron-${own}-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`;
  const candidates = [path.join(dataFolder, 'run'), path.join(os.tmpdir(), name), path.join('/tmp', name)];
  const folder = candidates.find(
    (candidate) => Buffer.byteLength(path.join(candidate, SOCKET_NAME)) <= MAX_ADDRESS_BYTES,
  );
  if (folder === undefined) throw new EmbeddedUnavailable('No folder has a path short enough for a database socket.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const owner = user.kind === 'account' ? user.uid : own;
  // Another user may have created something with this name in the shared temporary folder.
  if (!found.isDirectory() || (found.uid !== own && found.uid !== owner)) {
    throw new EmbeddedUnavailable(`${folder} belongs to somebody else.`);
  }
  if (user.kind === 'account') chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
}
