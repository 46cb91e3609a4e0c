import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { oldNames } from '../http/oldFieldNames.ts';

/** Identifies a paired bot host among those of its owner. */
const pairedHostId = z.string().regex(/^[a-z0-9]{4}$/);

/** Separates the id of a paired bot host from the id of its bot or other resource. */
const SEPARATOR = '~';

/** Returns the paired bot host of an id, or null for this Heron's own bot host. */
export function hostOf(id: string): string | null {
  const at = id.indexOf(SEPARATOR);
  return at === -1 ? null : id.slice(0, at);
}

/** Returns an id without its host: the id that the bot host itself uses. */
export function idThere(id: string): string {
  return id.slice(id.indexOf(SEPARATOR) + 1);
}

/** Returns the id that this platform uses for a resource of a paired bot host. */
export function idHere(host: string, id: string): string {
  return `${host}${SEPARATOR}${id}`;
}

/**
 * States of a paired bot host.
 * - `up`: the host responds.
 * - `away`: nothing responds at its address.
 * - `refused`: the host no longer knows this Heron, or another program responds.
 * - `differs`: the responses cannot be read, for example because the host has another version.
 * - `disabled`: the owner has ended all other sessions or changed the password, and has not enabled the host since. Only the
 *   kill switch reaches it.
 */
const HOST_STATES = ['up', 'away', 'refused', 'differs', 'disabled'] as const;
const state = z.enum(HOST_STATES);

export const pairedState = z.object({ id: pairedHostId, name: z.string(), state });

export const pairedHost = pairedState.extend({
  address: z.string(),
  port: z.number().int(),
  /** Version of Heron on the host, as last reported. */
  version: z.string(),
  /** Unix seconds. */
  pairedAt: z.number().int(),
});

export type HostState = z.infer<typeof state>;
export type PairedState = z.infer<typeof pairedState>;
export type PairedHost = z.infer<typeof pairedHost>;

/** Methods for bot hosts that users run on their own machines. */
export const hostMethods = {
  listHosts: defineMethod({
    name: 'System.Host.list',
    summary: 'Lists the paired bot hosts of the caller with their current state',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ hosts: z.array(pairedHost) }),
  }),
  pairHost: defineMethod({
    name: 'System.Host.pair',
    summary: 'Pairs a bot host with its pairing code, also one that was paired before. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({
      name: z.string().trim().min(1).max(40),
      address: z.string().trim().min(1).max(253),
      port: z.number().int().min(1).max(65_535),
      pairingCode: z.string().trim().max(100),
    }),
    data: z.object({ host: pairedHost }),
    timeoutMs: 20_000,
  }),
  enableHost: defineMethod({
    name: 'System.Host.enable',
    summary: 'Enables a disabled bot host. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id: pairedHostId }),
    data: z.object({ host: pairedHost }),
  }),
  removeHost: defineMethod({
    name: 'System.Host.remove',
    summary: 'Removes a paired bot host and notifies it. Its bots keep running there',
    postOnly: true,
    success: 0,
    payload: z.object({ id: pairedHostId }),
    /** Whether the bot host has received the message. */
    data: z.object({ notified: z.boolean().register(oldNames, { name: 'told' }) }),
  }),
} as const;
