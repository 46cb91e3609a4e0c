import { z } from 'zod';
import { defineMethod } from '../http/method.ts';

/** By which a paired bot host is told from the others of its owner. */
const pairedHostId = z.string().regex(/^[a-z0-9]{4}$/);

/** Between the id of a paired bot host and that of what it has. */
const SEPARATOR = '~';

/** The paired bot host that has a bot, by the bot's id; null for this Heron's own. */
export function hostOf(id: string): string | null {
  const at = id.indexOf(SEPARATOR);
  return at === -1 ? null : id.slice(0, at);
}

/** The id that something has at its own bot host. */
export function idThere(id: string): string {
  return id.slice(id.indexOf(SEPARATOR) + 1);
}

/** The id by which what a paired bot host has is known here. */
export function idHere(host: string, id: string): string {
  return `${host}${SEPARATOR}${id}`;
}

/**
 * `up`; `away` when nothing answers; `refused` when what answers does not know this Heron any more, or is something else;
 * `differs` when its answers cannot be read, as those of another version; `disabled` when its owner has ended all other sessions
 * or changed the password, and has not enabled it since: then only the kill switch reaches it.
 */
const HOST_STATES = ['up', 'away', 'refused', 'differs', 'disabled'] as const;
const state = z.enum(HOST_STATES);

export const pairedState = z.object({ id: pairedHostId, name: z.string(), state });

export const pairedHost = pairedState.extend({
  address: z.string(),
  port: z.number().int(),
  /** Of the Heron there, as it told last. */
  version: z.string(),
  /** Unix seconds. */
  paired_at: z.number().int(),
});

export type HostState = z.infer<typeof state>;
export type PairedState = z.infer<typeof pairedState>;
export type PairedHost = z.infer<typeof pairedHost>;

/** Methods about bot hosts that people run on machines of their own. */
export const hostMethods = {
  listHosts: defineMethod({
    name: 'System.Host.list',
    summary: 'Paired bot hosts of the caller, each asked how it is',
    postOnly: false,
    success: 0,
    payload: z.object({}),
    data: z.object({ hosts: z.array(pairedHost) }),
  }),
  pairHost: defineMethod({
    name: 'System.Host.pair',
    summary:
      'Pairs a bot host by the code that it prints; one that was paired before is paired again. Takes a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({
      name: z.string().trim().min(1).max(40),
      address: z.string().trim().min(1).max(253),
      port: z.number().int().min(1).max(65_535),
      pairing_code: z.string().trim().max(100),
    }),
    data: z.object({ host: pairedHost }),
    timeoutMs: 20_000,
  }),
  enableHost: defineMethod({
    name: 'System.Host.enable',
    summary: 'Enables a paired bot host that was disabled. Takes a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id: pairedHostId }),
    data: z.object({ host: pairedHost }),
  }),
  removeHost: defineMethod({
    name: 'System.Host.remove',
    summary: 'Forgets a paired bot host, and tells it so; its bots go on there',
    postOnly: true,
    success: 0,
    payload: z.object({ id: pairedHostId }),
    /** Whether the bot host has heard of it. */
    data: z.object({ told: z.boolean() }),
  }),
} as const;
