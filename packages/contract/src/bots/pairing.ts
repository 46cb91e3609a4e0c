import { z } from 'zod';
import { defineCall } from '../http/call.ts';

/**
 * TLS settings between a Heron and a bot host on another machine: TLS 1.2 with a pre-shared key and ephemeral Diffie-Hellman
 * (RFC 5489, RFC 7905). Each side proves that it has the key. Recorded traffic stays secret when the key leaks later.
 */
export const PAIRING_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** PSK identity of a Heron that has only the pairing code. */
export const CODE_IDENTITY = 'heron-code';

/** Paths of the bot host for paired Herons only. All other paths that they may call begin with `/bot/`. */
export const PAIRING_PATHS = {
  /** POST with the pairing code: returns the permanent key. */
  join: '/paired/join',
  /** GET: returns the instance and the version of the bot host. */
  hello: '/paired/hello',
  /** POST: ends the pairing. */
  leave: '/paired/leave',
  /** GET: lists notifications since the pairing that are not acknowledged yet. Waits as `/host/notices` does. */
  notifications: '/paired/notices',
  /** POST: acknowledges notifications that the caller has stored. */
  acknowledgeNotifications: '/paired/notices/taken',
} as const;

/** Characters of a pairing code, without similar ones. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LETTERS = 32;
const GROUP = 4;

/** Formats 20 random bytes (160 bits) as a pairing code in groups of four characters. */
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

/** Returns a typed pairing code without separators, in upper case, or null when it is not a pairing code. */
export function parsePairingCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '');
  const isCode = letters.length === CODE_LETTERS && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? letters : null;
}

export const joinRequest = z.object({
  /** Name of the Heron with which the bot host is paired. */
  platform: z.string().max(200),
});

export const joinAnswer = z.object({
  /** Permanent id of the bot host. */
  instance: z.uuid(),
  version: z.string().max(40),
  /** PSK identity of the Heron from now on. */
  identity: z.string().regex(/^[0-9a-f]{16}$/),
  /** Pre-shared key of that identity: 32 random bytes in hex. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
});

export const helloAnswer = z.object({ instance: z.uuid(), version: z.string().max(40) });

const HOST_PAIRING = '/host/pairing';

const hostPairing = z.object({
  /** Null without a pairing. Time in ms. */
  paired: z.object({ platform: z.string(), at: z.number().int() }).nullable(),
  /** The valid pairing code and its expiry, ms; null for none. */
  code: z.object({ text: z.string(), until: z.number().int() }).nullable(),
});

export type HostPairing = z.infer<typeof hostPairing>;

/** Calls by which the administrator of a bot host's machine manages the pairing. Calls of users never reach them. */
export const pairingCalls = {
  show: defineCall({
    method: 'GET',
    path: HOST_PAIRING,
    summary: 'Returns the pairing of this host',
    response: hostPairing,
  }),
  code: defineCall({
    method: 'POST',
    path: HOST_PAIRING,
    summary: 'Creates a new pairing code',
    response: hostPairing,
  }),
  end: defineCall({ method: 'DELETE', path: HOST_PAIRING, summary: 'Ends the pairing', response: hostPairing }),
} as const;
