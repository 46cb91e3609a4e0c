import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';

const BYTES = 32;

/** Keys that seal exchange keys, the one in use first; the others still open what they sealed. */
export interface VaultKeys {
  readonly current: VaultKey;
  readonly all: readonly VaultKey[];
}

export interface VaultKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The vault's own key cannot be had. `message` says what to do. */
export class VaultClosed extends Error {
  override readonly name = 'VaultClosed';
}

/**
 * Keys of the vault, from the environment or else from a file that only its owner may read, which is made when there is none.
 * Written as `id:base64`, several separated by commas or lines: put a new one first to change it.
 *
 * @param env value of HERON_VAULT_KEY
 * @throws VaultClosed
 */
export function vaultKeys(env: string | undefined, file: string): VaultKeys {
  return parsed(env === undefined || env === '' ? readOrMake(file) : env);
}

function readOrMake(file: string): string {
  const made = `k1:${randomBytes(BYTES).toString('base64')}\n`;
  try {
    const handle = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    writeSync(handle, made);
    fsyncSync(handle);
    closeSync(handle);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new VaultClosed(`${file} may be read by others; make it yours alone with: chmod 600 ${file}`);
  }
  return readFileSync(file, 'utf8');
}

function parsed(text: string): VaultKeys {
  const all = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part): VaultKey => {
      const match = /^([\w-]{1,32}):([A-Za-z0-9+/=_-]+)$/.exec(part);
      const bytes = match && Buffer.from(match[2] as string, 'base64');
      if (!match || bytes?.length !== BYTES) {
        throw new VaultClosed('the key of the vault is not written as id:base64 of 32 bytes');
      }
      return { id: match[1] as string, bytes };
    });
  const [current] = all;
  if (current === undefined) throw new VaultClosed('the key of the vault is empty');
  return { current, all };
}
