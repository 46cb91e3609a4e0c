import { hostMethods, type PairedHost } from '@heron/contract/bots/pairedHosts.ts';
import {
  CODE_IDENTITY,
  helloAnswer,
  joinAnswer,
  PAIRING_PATHS,
  parsePairingCode,
} from '@heron/contract/bots/pairing.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { integrationOrigin } from '../../gateway/integrationOrigin.ts';
import { consumePoint, persistentLimiter } from '../../gateway/limits.ts';
import { forMembers, type MethodHandler } from '../../gateway/methods.ts';
import type { OwnerGuard } from '../../gateway/ownerGuard.ts';
import { HostAddressRefused, type HostConnections, type HostEndpoint, HostProblem } from './hostConnections.ts';
import type { PairedHostRecord, PairedHosts } from './pairedHosts.ts';
import { unpairHost } from './unpairHost.ts';

const TIMEOUT_MS = 2_000;
const PAIRING_MS = 8_000;
const MAX_BYTES = 16_384;
/** Limits pairing tries per user, so that nobody scans ports through the platform. */
const TRIES = { name: 'host-pairings', points: 20, seconds: 3_600 };

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Returns the handlers of paired bot hosts. @param deps.onHostsChanged is called with the owner of changed hosts */
export function createHostHandlers(deps: {
  readonly database: Database;
  readonly connections: HostConnections;
  readonly hosts: PairedHosts;
  readonly guard: OwnerGuard;
  /** Name of this installation, shown to the operator of the bot host. */
  readonly title: string;
  onHostsChanged(userId: number): void;
}): MethodHandler[] {
  const { connections, hosts, guard } = deps;
  const tries = persistentLimiter(deps.database, TRIES);

  async function stateOf(paired: PairedHostRecord): Promise<Pick<PairedHost, 'state' | 'version'>> {
    if (paired.isDisabled) return { state: 'disabled', version: paired.version };
    try {
      const request = { method: 'GET', path: PAIRING_PATHS.hello, timeoutMs: TIMEOUT_MS };
      const { body } = await connections.requestJson(paired.endpoint, request, MAX_BYTES);
      const hello = helloAnswer.safeParse(body);
      return hello.success
        ? { state: 'up', version: hello.data.version }
        : { state: 'differs', version: paired.version };
    } catch (error) {
      if (!(error instanceof HostProblem)) throw error;
      return { state: error.state, version: paired.version };
    }
  }

  function view(
    { id, name, pairedAt, endpoint }: PairedHostRecord,
    toCallError: Pick<PairedHost, 'state' | 'version'>,
  ): PairedHost {
    const { address, port } = endpoint;
    return { id, name, address, port, pairedAt: Math.floor(pairedAt.getTime() / 1_000), ...toCallError };
  }

  /** Uses up the pairing code and tests the key that it returned. */
  async function join(at: Pick<HostEndpoint, 'address' | 'port'>, code: string) {
    const platform = { method: 'POST', path: PAIRING_PATHS.join, headers: JSON_HEADERS, timeoutMs: PAIRING_MS };
    const body = JSON.stringify({ platform: deps.title });
    const endpoint = { ...at, identity: CODE_IDENTITY, secret: Buffer.from(code) };
    const answer = await connections.requestJson(endpoint, { ...platform, body }, MAX_BYTES);
    if (answer.status !== 200) throw new HostProblem('refused');
    const joined = joinAnswer.safeParse(answer.body);
    if (!joined.success) throw new HostProblem('differs', joined.error);
    const { identity, key } = joined.data;
    const lasting = { ...at, identity, secret: Buffer.from(key, 'hex') };
    await connections.requestJson(
      lasting,
      { method: 'GET', path: PAIRING_PATHS.hello, timeoutMs: PAIRING_MS },
      MAX_BYTES,
    );
    return joined.data;
  }

  return [
    forMembers(hostMethods.listHosts, async (_payload, { session }) => {
      const held = await hosts.listAll(session.userId);
      return { hosts: await Promise.all(held.map(async (paired) => view(paired, await stateOf(paired)))) };
    }),
    forMembers(hostMethods.pairHost, async ({ name, address: typed, port, pairingCode }, caller) => {
      const { session } = caller;
      await guard.requireFreshProof(session);
      const address = typed.replace(/^\[(.*)\]$/, '$1');
      const code = parsePairingCode(pairingCode);
      if (code === null) throw new CallError('host_code_wrong');
      try {
        connections.check(address, port);
        await consumePoint(tries, String(session.userId));
        const { instance, version, identity, key } = await join({ address, port }, code);
        const endpoint = { address, port, identity, secret: Buffer.from(key, 'hex') };
        const paired = await hosts
          .store(session.userId, {
            instance,
            name,
            address,
            port,
            identity,
            key,
            version,
            by: integrationOrigin(caller),
          })
          .catch(async (error: unknown) => {
            // Otherwise the host would stay paired.
            await unpairHost(connections, endpoint);
            throw error;
          });
        guard.alert(session, 'host-paired', caller);
        deps.onHostsChanged(session.userId);
        return { host: view(paired, { state: 'up', version }) };
      } catch (error) {
        throw asCallError(error);
      }
    }),
    forMembers(hostMethods.enableHost, async ({ id }, caller) => {
      const { session } = caller;
      await guard.requireFreshProof(session);
      const before = await hosts.getWithDisabled(session.userId, id);
      const paired = before?.isDisabled ? await hosts.enable(session.userId, id, integrationOrigin(caller)) : before;
      if (paired === null) throw new CallError('not_found');
      if (before?.isDisabled) {
        guard.alert(session, 'host-paired', caller);
        deps.onHostsChanged(session.userId);
      }
      return { host: view(paired, await stateOf(paired)) };
    }),
    forMembers(hostMethods.removeHost, async ({ id }, { session }) => {
      const paired = await hosts.getWithDisabled(session.userId, id);
      if (paired === null) throw new CallError('not_found');
      const notified = await unpairHost(connections, paired.endpoint);
      await hosts.remove(session.userId, id);
      deps.onHostsChanged(session.userId);
      return { notified };
    }),
  ];
}

function asCallError(error: unknown): unknown {
  if (error instanceof HostAddressRefused) return new CallError('host_address_refused');
  if (!(error instanceof HostProblem)) return error;
  if (error.cause instanceof HostAddressRefused) return new CallError('host_address_refused');
  return new CallError(error.state === 'away' ? 'host_silent' : 'host_code_wrong');
}
