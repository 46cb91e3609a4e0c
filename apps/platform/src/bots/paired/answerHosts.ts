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
import { addedBy } from '../../gateway/addedBy.ts';
import { persistentLimiter, take } from '../../gateway/limits.ts';
import { type Answering, forMembers } from '../../gateway/methods.ts';
import type { OwnerGuard } from '../../gateway/ownerGuard.ts';
import { HostAddressRefused, type HostLines, type HostPlace, HostProblem } from './hostLine.ts';
import { leaveHost } from './leaveHost.ts';
import type { Paired, PairedHosts } from './pairedHosts.ts';

const PATIENCE_MS = 2_000;
const PAIRING_MS = 8_000;
const MOST_BYTES = 16_384;
/** Tries of one person, so that nobody feels for open ports by way of us. */
const TRIES = { name: 'host-pairings', points: 20, seconds: 3_600 };

const JSON_HEADERS = { 'content-type': 'application/json' };

/** What answers the methods about bot hosts of people's own. @param changed hears whose hosts are others now */
export function answerHosts(ground: {
  readonly database: Database;
  readonly lines: HostLines;
  readonly hosts: PairedHosts;
  readonly guard: OwnerGuard;
  /** What we are called, for whoever runs the bot host. */
  readonly title: string;
  changed(userId: number): void;
}): Answering[] {
  const { lines, hosts, guard } = ground;
  const tries = persistentLimiter(ground.database, TRIES);

  async function stateOf(paired: Paired): Promise<Pick<PairedHost, 'state' | 'version'>> {
    if (paired.isDisabled) return { state: 'disabled', version: paired.version };
    try {
      const asked = { method: 'GET', path: PAIRING_PATHS.hello, patienceMs: PATIENCE_MS };
      const { body } = await lines.ask(paired.place, asked, MOST_BYTES);
      const hello = helloAnswer.safeParse(body);
      return hello.success
        ? { state: 'up', version: hello.data.version }
        : { state: 'differs', version: paired.version };
    } catch (error) {
      if (!(error instanceof HostProblem)) throw error;
      return { state: error.state, version: paired.version };
    }
  }

  function view({ id, name, pairedAt, place }: Paired, told: Pick<PairedHost, 'state' | 'version'>): PairedHost {
    const { address, port } = place;
    return { id, name, address, port, paired_at: Math.floor(pairedAt.getTime() / 1_000), ...told };
  }

  /** Uses the code up, and tries the lasting key that it was given for. */
  async function join(at: Pick<HostPlace, 'address' | 'port'>, code: string) {
    const platform = { method: 'POST', path: PAIRING_PATHS.join, headers: JSON_HEADERS, patienceMs: PAIRING_MS };
    const body = JSON.stringify({ platform: ground.title });
    const place = { ...at, identity: CODE_IDENTITY, secret: Buffer.from(code) };
    const answer = await lines.ask(place, { ...platform, body }, MOST_BYTES);
    if (answer.status !== 200) throw new HostProblem('refused');
    const joined = joinAnswer.safeParse(answer.body);
    if (!joined.success) throw new HostProblem('differs', joined.error);
    const { identity, key } = joined.data;
    const lasting = { ...at, identity, secret: Buffer.from(key, 'hex') };
    await lines.ask(lasting, { method: 'GET', path: PAIRING_PATHS.hello, patienceMs: PAIRING_MS }, MOST_BYTES);
    return joined.data;
  }

  return [
    forMembers(hostMethods.listHosts, async (_payload, { session }) => {
      const held = await hosts.withDisabled(session.userId);
      return { hosts: await Promise.all(held.map(async (paired) => view(paired, await stateOf(paired)))) };
    }),
    forMembers(hostMethods.pairHost, async ({ name, address: typed, port, pairing_code }, caller) => {
      const { session } = caller;
      await guard.demandFreshProof(session);
      const address = typed.replace(/^\[(.*)\]$/, '$1');
      const code = parsePairingCode(pairing_code);
      if (code === null) throw new CallError('host_code_wrong');
      try {
        lines.check(address, port);
        await take(tries, String(session.userId));
        const { instance, version, identity, key } = await join({ address, port }, code);
        const place = { address, port, identity, secret: Buffer.from(key, 'hex') };
        const paired = await hosts
          .keep(session.userId, { instance, name, address, port, identity, key, version, by: addedBy(caller) })
          .catch(async (error: unknown) => {
            // Otherwise it would think that it is paired.
            await leaveHost(lines, place);
            throw error;
          });
        guard.alert(session, 'host-paired', caller);
        ground.changed(session.userId);
        return { host: view(paired, { state: 'up', version }) };
      } catch (error) {
        throw told(error);
      }
    }),
    forMembers(hostMethods.enableHost, async ({ id }, caller) => {
      const { session } = caller;
      await guard.demandFreshProof(session);
      const before = await hosts.getWithDisabled(session.userId, id);
      const paired = before?.isDisabled ? await hosts.enable(session.userId, id, addedBy(caller)) : before;
      if (paired === null) throw new CallError('not_found');
      if (before?.isDisabled) {
        guard.alert(session, 'host-paired', caller);
        ground.changed(session.userId);
      }
      return { host: view(paired, await stateOf(paired)) };
    }),
    forMembers(hostMethods.removeHost, async ({ id }, { session }) => {
      const paired = await hosts.getWithDisabled(session.userId, id);
      if (paired === null) throw new CallError('not_found');
      const heard = await leaveHost(lines, paired.place);
      await hosts.remove(session.userId, id);
      ground.changed(session.userId);
      return { told: heard };
    }),
  ];
}

function told(error: unknown): unknown {
  if (error instanceof HostAddressRefused) return new CallError('host_address_refused');
  if (!(error instanceof HostProblem)) return error;
  if (error.cause instanceof HostAddressRefused) return new CallError('host_address_refused');
  return new CallError(error.state === 'away' ? 'host_silent' : 'host_code_wrong');
}
