import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const lastingKey = z.object({
  identity: z.string(),
  /** 32 bytes in hex. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** What the Heron is called. */
  platform: z.string(),
  /** Handed out, ms. */
  at: z.number(),
});

const storedPairing = z.object({
  /** Of this bot host, for its whole life. */
  instance: z.uuid(),
  /** In force; null: not paired. */
  paired: lastingKey.nullable(),
  /** Handed out and not yet used: in force from its first use on, in place of the other. */
  next: lastingKey.nullable(),
});

export type LastingKey = z.output<typeof lastingKey>;
export type StoredPairing = z.output<typeof storedPairing>;

/** What this bot host keeps of its pairing, in a file that only its owner may read. */
export interface PairingFile {
  read(): StoredPairing;
  /** Returns when it would survive a loss of power. */
  write(pairing: StoredPairing): void;
}

/** What is kept of the pairing cannot be used. `message` says what to do. */
class PairingDamaged extends Error {
  override readonly name = 'PairingDamaged';
}

/** @throws PairingDamaged at the first reading */
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
    throw new PairingDamaged(`${file} is damaged. Remove it, and pair this bot host anew`, { cause });
  }
}
