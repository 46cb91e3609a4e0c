import { setTimeout as delay } from 'node:timers/promises';
import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import { type HostConnections, HostProblem } from './hostConnections.ts';
import type { OwnedHostRecord } from './pairedHosts.ts';
import { translateNotifications } from './translateIds.ts';

/** The bot host is asked to wait so long for a notice, and has a little longer to say that there is none. */
const WAIT_S = 25;
const ANSWER_MS = 35_000;
const MOST_BYTES = 1_048_576;
/** Notices come no faster than this for long: a machine of somebody that never ends to tell fills no database. */
const EACH_MS = 500;
/** So many may come at once. */
const AT_ONCE = 600;

const JSON_HEADERS = { 'content-type': 'application/json' };

/** What bots of a paired bot host tell whoever it is paired with. What the machine says of whose they are counts nothing. */
export function createPairedSource(lines: HostConnections, paired: OwnedHostRecord) {
  /** When all that came has had its time, ms. */
  let spent = 0;

  async function ask(method: string, path: string, signal: AbortSignal, body?: string): Promise<unknown> {
    const asked = {
      method,
      path,
      timeoutMs: ANSWER_MS,
      signal,
      ...(body !== undefined && { body, headers: JSON_HEADERS }),
    };
    const answer = await lines.requestJson(paired.endpoint, asked, MOST_BYTES);
    if (answer.status !== 200) throw new HostProblem('differs', new Error(`it answered ${answer.status}`));
    return answer.body;
  }

  return {
    host: paired.id,
    async list(signal: AbortSignal) {
      const ahead = spent - performance.now() - AT_ONCE * EACH_MS;
      if (ahead > 0) await delay(ahead, undefined, { signal });
      const handed = translateNotifications(
        paired.id,
        await ask('GET', `${PAIRING_PATHS.notifications}?wait=${WAIT_S}`, signal),
      );
      spent = Math.max(spent, performance.now()) + handed.ids.length * EACH_MS;
      const of = { owner: String(paired.userId), host: paired.name };
      return {
        notifications: handed.notices.map((notice): HostNotification & { host: string } => ({ ...notice, ...of })),
        ids: handed.ids,
      };
    },
    async acknowledge(ids: readonly string[], signal: AbortSignal) {
      await ask('POST', PAIRING_PATHS.acknowledgeNotifications, signal, JSON.stringify({ ids }));
    },
  };
}
