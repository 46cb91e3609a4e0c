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

/** Whose the bots are on a machine of its own: those of the account that the command line there asks for unless told otherwise. */
const OWNER = '1';
/** Beside the calls about bots. */
const FOR_GUESTS: ReadonlySet<string> = new Set(
  Object.values(PAIRING_PATHS).filter((path) => path !== PAIRING_PATHS.join),
);

/**
 * Lets a paired Heron ask, as the one owner that this bot host has. Keys of exchanges do not come in this way.
 *
 * @returns whether the request comes from a paired Heron
 * @throws CallError when it may not ask for that
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
  if (path === botCalls.addKey.path && request.method === botCalls.addKey.method)
    throw new CallError('keys_stay_there');
  request.raw.headers['x-heron-user'] = OWNER;
  return true;
}

/** What a paired Heron may have of notices. @throws CallError `not_found` for whoever is none */
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

/** Adds what a paired Heron, and whoever runs this machine, ask about the pairing itself. */
export function servePairing(
  server: FastifyInstance,
  { pairing, pairingServer, version }: { pairing: Pairing; pairingServer(): PairingServer | null; version: string },
): void {
  const { instance } = pairing;
  const fromOutside = (request: FastifyRequest) => pairingServer()?.pairedHeron(request.raw.socket) ?? null;

  server.post(PAIRING_PATHS.join, async (request): Promise<z.input<typeof joinAnswer>> => {
    if (fromOutside(request) !== CODE_IDENTITY) throw new CallError('not_found');
    const parsed = joinRequest.safeParse(request.body);
    if (!parsed.success) throw new CallError('malformed');
    const handed = pairing.join(parsed.data.platform);
    if (handed === null) throw new CallError('host_code_wrong');
    return { instance, version, identity: handed.identity, key: handed.key };
  });
  server.get(PAIRING_PATHS.hello, async (): Promise<z.input<typeof helloAnswer>> => ({ instance, version }));
  server.post(PAIRING_PATHS.leave, async (request) => {
    if (fromOutside(request) === null) throw new CallError('not_found');
    // Once this answer is on its way.
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
