import { z } from 'zod';
import { defineCall } from '../http/call.ts';

/**
 * How a Heron and a bot host on another machine speak: TLS 1.2 with a pre-shared key and ephemeral Diffie-Hellman (RFC 5489,
 * RFC 7905), so that each proves to the other that it has the key, and what is said stays secret also when the key is lost later.
 */
export const PAIRING_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** As whom a Heron comes that has only the code. */
export const CODE_IDENTITY = 'heron-code';

/** Paths of the bot host for paired Herons alone; all else that they may ask for lies under `/bot/`. */
export const PAIRING_PATHS = {
  /** POST, with the code: hands out the lasting key. */
  join: '/paired/join',
  /** GET: who is there. */
  hello: '/paired/hello',
  /** POST: the bot host is not paired any more. */
  leave: '/paired/leave',
  /** GET: what its owner is to be told of since it was paired, and nobody has taken yet; waits as `/host/notices` does. */
  notifications: '/paired/notices',
  /** POST: these are written down elsewhere. */
  acknowledgeNotifications: '/paired/notices/taken',
} as const;

/** Letters of a code: none that is taken for another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LETTERS = 32;
const GROUP = 4;

/** A code for people, from 20 random bytes: 160 bits in groups of four letters. */
export function formatPairingCode(random: Uint8Array): string {
  let bits = 0n;
  for (const byte of random.subarray(0, (CODE_LETTERS * 5) / 8)) bits = (bits << 8n) | BigInt(byte);
  let code = '';
  for (let at = CODE_LETTERS - 1; at >= 0; at--) {
    code += LETTERS[Number((bits >> BigInt(at * 5)) & 31n)];
    if (at > 0 && at % GROUP === 0) code += '-';
  }
  return code;
}

/** A code as it was meant, however it was typed; null when it is none. */
export function parsePairingCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  const isCode = letters.length === CODE_LETTERS && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? letters : null;
}

export const joinRequest = z.object({
  /** What the Heron is called that the bot host is paired with. */
  platform: z.string().max(200),
});

export const joinAnswer = z.object({
  /** Of the bot host, for its whole life. */
  instance: z.uuid(),
  version: z.string().max(40),
  /** As whom the Heron comes from now on. */
  identity: z.string().regex(/^[0-9a-f]{16}$/),
  /** What it proves that by: 32 random bytes in hex. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
});

export const helloAnswer = z.object({ instance: z.uuid(), version: z.string().max(40) });

const HOST_PAIRING = '/host/pairing';

const hostPairing = z.object({
  /** Null: not paired. Time in ms. */
  paired: z.object({ platform: z.string(), at: z.number().int() }).nullable(),
  /** The code that works at the moment, and until when, ms. */
  code: z.object({ text: z.string(), until: z.number().int() }).nullable(),
});

export type HostPairing = z.infer<typeof hostPairing>;

/** What whoever runs the machine of a bot host asks it about the pairing. Never reached by way of people's calls. */
export const pairingCalls = {
  show: defineCall({ method: 'GET', path: HOST_PAIRING, summary: 'With whom it is paired', response: hostPairing }),
  code: defineCall({ method: 'POST', path: HOST_PAIRING, summary: 'Makes a new code', response: hostPairing }),
  end: defineCall({ method: 'DELETE', path: HOST_PAIRING, summary: 'Ends the pairing', response: hostPairing }),
} as const;
