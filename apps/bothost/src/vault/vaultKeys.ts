import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

const BYTES = 32;
const ID_BYTES = 4;

/** The vault keys. The current one, which is first, seals exchange keys; the others only open those that they sealed. */
export interface VaultKeys {
  readonly current: VaultKey;
  readonly all: readonly VaultKey[];
}

export interface VaultKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Means that the vault keys are missing or malformed. `message` contains the remedy. */
class VaultKeysInvalid extends Error {
  override readonly name = 'VaultKeysInvalid';
}

/**
 * Returns the given vault keys, or else those of a file that only its owner may read. Creates the file if it is missing. Each
 * key is written as `id:base64`; commas or line breaks separate several. A new key comes first.
 *
 * @param given value of HERON_VAULT_KEY; null when it is not set
 * @throws VaultKeysInvalid
 */
export function createVaultKeys(given: string | null, file: string): VaultKeys {
  return parsed(given ?? readOrMake(file));
}

function readOrMake(file: string): string {
  if (!existsSync(file)) make(file);
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new VaultKeysInvalid(`${file} may be read by others; make it yours alone with: chmod 600 ${file}`);
  }
  const text = readFileSync(file, 'utf8');
  if (text.trim() === '') {
    throw new VaultKeysInvalid(
      `${file} is empty. Put your copy of it back; or delete it, and enter all exchange keys again`,
    );
  }
  return text;
}

/**
 * Creates the file atomically, and returns when it would survive a power loss, because the loss of a vault key makes all sealed
 * keys unreadable. If two processes create it at once, both use the file of the first.
 */
function make(file: string): void {
  const written = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(written, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    // The id distinguishes keys of a lost file from those of this one.
    const id = `k${randomBytes(ID_BYTES).toString('hex')}`;
    writeSync(handle, `${id}:${randomBytes(BYTES).toString('base64')}\n`);
    fsyncSync(handle);
    // Unlike a rename, a link does not replace an existing file.
    linkSync(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    unlinkSync(written);
  }
  const folder = openSync(path.dirname(file), constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function parsed(text: string): VaultKeys {
  const all = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part): VaultKey => {
      const match = /^([\w-]{1,32}):([A-Za-z0-9+/=_-]+)$/.exec(part);
      const bytes = match && Buffer.from(match[2] as string, 'base64');
      if (!match || bytes?.length !== BYTES) {
        throw new VaultKeysInvalid(
          'a vault key is malformed; write each as id:base64 of 32 bytes, as in k1:…, separated by commas',
        );
      }
      return { id: match[1] as string, bytes };
    });
  const [current] = all;
  if (current === undefined)
    throw new VaultKeysInvalid('no vault key is given; unset HERON_VAULT_KEY, or set it to your vault keys');
  return { current, all };
}
