import { botCalls } from '@heron/contract/bots/calls.ts';
import {
  CODE_IDENTITY,
  type helloAnswer,
  type joinAnswer,
  joinRequest,
  PAIRING_PATHS,
  pairingCalls,
} from '@heron/contract/bots/pairing.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { serveCalls } from '../http/serveCalls.ts';
import type { Share } from '../store/botNotifications.ts';
import type { Pairing } from './pairing.ts';
import type { PairingServer } from './pairingServer.ts';

/** Owner of the bots of a standalone bot host: the default account of its command line. */
const OWNER = '1';
/** Paths that a paired Heron may call beside those about bots. */
const FOR_GUESTS: ReadonlySet<string> = new Set(
  Object.values(PAIRING_PATHS).filter((path) => path !== PAIRING_PATHS.join),
);

/**
 * Admits a request of a paired Heron, on behalf of the only owner of this bot host. Rejects requests that add API keys.
 *
 * @returns whether the request comes from a paired Heron
 * @throws CallError when the request is not allowed
 */
export function admitPairedHeron(
  request: FastifyRequest,
  pairingServer: PairingServer | null,
  pairing: Pairing | null,
): boolean {
  const identity = pairingServer?.pairedHeron(request.raw.socket) ?? null;
  if (identity === null || pairing === null) return false;
  if (!pairing.holds(identity)) throw new CallError('not_logged_in');
  const path = request.routeOptions.url ?? '';
  const isAllowed =
    identity === CODE_IDENTITY ? path === PAIRING_PATHS.join : path.startsWith('/bot/') || FOR_GUESTS.has(path);
  if (!isAllowed) throw new CallError('not_found');
  if (request.method === 'POST' && (path === botCalls.addKey.path || path === botCalls.addDemoKey.path))
    throw new CallError('keys_stay_there');
  request.raw.headers['x-heron-user'] = OWNER;
  return true;
}

/** Returns the notifications that a paired Heron may read. @throws CallError `not_found` for every other client */
export function shareOfPairedHeron(
  request: FastifyRequest,
  pairingServer: PairingServer | null,
  pairing: Pairing | null,
): Share {
  const identity = pairingServer?.pairedHeron(request.raw.socket) ?? null;
  const since = identity === null ? null : (pairing?.since(identity) ?? null);
  if (since === null) throw new CallError('not_found');
  return { owner: OWNER, since };
}

/** Adds the calls about the pairing, for a paired Heron and for the operator of this machine. */
export function servePairing(
  server: FastifyInstance,
  { pairing, pairingServer, version }: { pairing: Pairing; pairingServer(): PairingServer | null; version: string },
): void {
  const { instance } = pairing;
  const pairedIdentity = (request: FastifyRequest) => pairingServer()?.pairedHeron(request.raw.socket) ?? null;

  server.post(PAIRING_PATHS.join, async (request): Promise<z.input<typeof joinAnswer>> => {
    if (pairedIdentity(request) !== CODE_IDENTITY) throw new CallError('not_found');
    const parsed = joinRequest.safeParse(request.body);
    if (!parsed.success) throw new CallError('malformed');
    const handed = pairing.join(parsed.data.platform);
    if (handed === null) throw new CallError('host_code_wrong');
    return { instance, version, identity: handed.identity, key: handed.key };
  });
  server.get(PAIRING_PATHS.hello, async (): Promise<z.input<typeof helloAnswer>> => ({ instance, version }));
  server.post(PAIRING_PATHS.leave, async (request) => {
    if (pairedIdentity(request) === null) throw new CallError('not_found');
    // Ends the pairing after the response was sent, because ending it closes the connection.
    setImmediate(() => pairing.end());
    return {};
  });

  serveCalls(server, pairingCalls, {
    show: async () => pairing.state(),
    async code() {
      pairing.newCode();
      return pairing.state();
    },
    async end() {
      pairing.end();
      return pairing.state();
    },
  });
}
