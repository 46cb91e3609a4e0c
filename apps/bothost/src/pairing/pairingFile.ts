import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const lastingKey = z.object({
  identity: z.string(),
  /** 32 bytes in hex. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** Name of the paired Heron. */
  platform: z.string(),
  /** Time of issue, ms since 1970. */
  at: z.number(),
});

const storedPairing = z.object({
  /** Identifies this bot host permanently. */
  instance: z.uuid(),
  /** The key in force; null while not paired. */
  paired: lastingKey.nullable(),
  /** A key that was issued and not yet used. Its first use puts it in force in place of the other. */
  next: lastingKey.nullable(),
});

export type LastingKey = z.output<typeof lastingKey>;
export type StoredPairing = z.output<typeof storedPairing>;

/** Stores the pairing of this bot host in a file that only its owner may read. */
export interface PairingFile {
  read(): StoredPairing;
  /** Returns when the pairing would survive a power loss. */
  write(pairing: StoredPairing): void;
}

/** Means that the stored pairing cannot be used. `message` contains the remedy. */
class PairingDamaged extends Error {
  override readonly name = 'PairingDamaged';
}

/** @throws PairingDamaged when the file is damaged, or when others may read it */
export function openPairingFile(dataDir: string): PairingFile {
  const file = path.join(dataDir, 'pairing.json');
  let now = load(file) ?? { instance: randomUUID(), paired: null, next: null };
  const write = (pairing: StoredPairing) => {
    const draft = `${file}.${process.pid}`;
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeSync(handle, JSON.stringify(pairing));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    const folder = openSync(dataDir, 'r');
    fsyncSync(folder);
    closeSync(folder);
    now = pairing;
  };
  write(now);
  return { read: () => now, write };
}

function load(file: string): StoredPairing | null {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new PairingDamaged(`${file} may be read by others; make it yours alone with: chmod 600 ${file}`);
    }
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return storedPairing.parse(JSON.parse(text));
  } catch (cause) {
    throw new PairingDamaged(`${file} is damaged. Remove it, and pair this bot host again`, { cause });
  }
}
