import { randomBytes } from 'node:crypto';
import { CODE_IDENTITY, formatPairingCode, type HostPairing, parsePairingCode } from '@heron/contract/bots/pairing.ts';
import type { LastingKey, PairingFile } from './pairingFile.ts';

/** A code works so long. */
const CODE_MS = 15 * 60_000;

/** With whom this bot host is paired, and by which code it can be paired anew. */
export interface Pairing {
  readonly instance: string;
  /** The secret that somebody must have who comes under a name; null for names that are not known. */
  secretOf(identity: string): Buffer | null;
  /** Whether somebody who came under a name may still ask for things: the key may have ended since. */
  holds(identity: string): boolean;
  /** When the key of a name was handed out, ms; null for one that does not count. */
  since(identity: string): number | null;
  /** Somebody has shown that they have the key of a name: it is the one in force from now on. */
  used(identity: string): void;
  /** Uses the code up. @returns the lasting key; null when the code works no more */
  join(platform: string): LastingKey | null;
  /** A new code; the one before works no more. */
  newCode(): void;
  /** Ends the pairing, and any code. */
  end(): void;
  state(): HostPairing;
}

/**
 * @param now ms
 * @param ended hears that keys work no more
 */
export function openPairing(file: PairingFile, now: () => number, ended: () => void): Pairing {
  let code: { text: string; until: number } | null = null;
  const currentCode = () => (code !== null && now() < code.until ? code : null);
  const keyOf = (identity: string) => {
    const { paired, next } = file.read();
    return [paired, next].find((key) => key?.identity === identity) ?? null;
  };
  const newCode = () => {
    code = { text: formatPairingCode(randomBytes(20)), until: now() + CODE_MS };
  };
  if (file.read().paired === null) newCode();
  return {
    instance: file.read().instance,
    secretOf(identity) {
      if (identity !== CODE_IDENTITY) {
        const known = keyOf(identity);
        return known && Buffer.from(known.key, 'hex');
      }
      const letters = parsePairingCode(currentCode()?.text ?? '');
      return letters === null ? null : Buffer.from(letters);
    },
    holds: (identity) => (identity === CODE_IDENTITY ? currentCode() !== null : keyOf(identity) !== null),
    since: (identity) => keyOf(identity)?.at ?? null,
    used(identity) {
      const { instance, next } = file.read();
      if (next?.identity !== identity) return;
      file.write({ instance, paired: next, next: null });
      ended();
    },
    join(platform) {
      if (currentCode() === null) return null;
      // Before anything else, so that nobody can come a second time.
      code = null;
      const next = {
        identity: randomBytes(8).toString('hex'),
        key: randomBytes(32).toString('hex'),
        ...{ platform, at: now() },
      };
      file.write({ ...file.read(), next });
      return next;
    },
    newCode,
    end() {
      code = null;
      file.write({ ...file.read(), paired: null, next: null });
      ended();
    },
    state() {
      const { paired } = file.read();
      return { paired: paired && { platform: paired.platform, at: paired.at }, code: currentCode() };
    },
  };
}
