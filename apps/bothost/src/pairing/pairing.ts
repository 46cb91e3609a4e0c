import { randomBytes } from 'node:crypto';
import { CODE_IDENTITY, formatPairingCode, type HostPairing, parsePairingCode } from '@heron/contract/bots/pairing.ts';
import type { LastingKey, PairingFile } from './pairingFile.ts';

/** A pairing code is valid for this time. */
const CODE_MS = 15 * 60_000;

/** The pairing of this bot host with a Heron platform, and the code for a new pairing. */
export interface Pairing {
  readonly instance: string;
  /** Returns the pre-shared key of an identity; null for unknown identities. */
  secretOf(identity: string): Buffer | null;
  /** Whether the key of an identity is still valid: it may have been revoked after its connection opened. */
  holds(identity: string): boolean;
  /** Returns when the key of an identity was issued, ms since 1970; null for an identity without a valid key. */
  since(identity: string): number | null;
  /** Puts the key of an identity in force, because a client has proven to have it. The previous key becomes invalid. */
  used(identity: string): void;
  /** Exchanges the code, which works once, for a lasting key. @returns null when the code is no longer valid */
  join(platform: string): LastingKey | null;
  /** Creates a new code. The previous code becomes invalid. */
  newCode(): void;
  /** Ends the pairing and invalidates the code. */
  end(): void;
  state(): HostPairing;
}

/**
 * @param now ms
 * @param ended is called when keys were revoked
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
      // Invalidated first, so that the code cannot be used twice.
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
