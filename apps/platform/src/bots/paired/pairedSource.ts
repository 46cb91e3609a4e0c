import { setTimeout as delay } from 'node:timers/promises';
import type { HostNotification } from '@heron/contract/bots/notifications.ts';
import { PAIRING_PATHS } from '@heron/contract/bots/pairing.ts';
import { type HostConnections, HostProblem } from './hostConnections.ts';
import type { OwnedHostRecord } from './pairedHosts.ts';
import { translateNotifications } from './translateIds.ts';

/** Seconds for which the bot host waits for a notification. The response may take a little longer. */
const WAIT_S = 25;
const ANSWER_MS = 35_000;
const MAX_BYTES = 1_048_576;
/** Sustained interval of notifications, so that a machine of a user cannot fill the database. */
const INTERVAL_MS = 500;
/** Size of a burst. */
const BURST = 600;

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Creates the source of notifications of a paired bot host. Ignores the owner that the machine names. */
export function createPairedSource(connections: HostConnections, paired: OwnedHostRecord) {
  /** Time at which the received notifications are paid off, ms. */
  let spent = 0;

  async function call(method: string, path: string, signal: AbortSignal, body?: string): Promise<unknown> {
    const asked = {
      method,
      path,
      timeoutMs: ANSWER_MS,
      signal,
      ...(body !== undefined && { body, headers: JSON_HEADERS }),
    };
    const answer = await connections.requestJson(paired.endpoint, asked, MAX_BYTES);
    if (answer.status !== 200) throw new HostProblem('differs', new Error(`it answered ${answer.status}`));
    return answer.body;
  }

  return {
    host: paired.id,
    async list(signal: AbortSignal) {
      const ahead = spent - performance.now() - BURST * INTERVAL_MS;
      if (ahead > 0) await delay(ahead, undefined, { signal });
      const handed = translateNotifications(
        paired.id,
        await call('GET', `${PAIRING_PATHS.notifications}?wait=${WAIT_S}`, signal),
      );
      spent = Math.max(spent, performance.now()) + handed.ids.length * INTERVAL_MS;
      const of = { owner: String(paired.userId), host: paired.name };
      return {
        notifications: handed.notices.map((notice): HostNotification & { host: string } => ({ ...notice, ...of })),
        ids: handed.ids,
      };
    },
    async acknowledge(ids: readonly string[], signal: AbortSignal) {
      await call('POST', PAIRING_PATHS.acknowledgeNotifications, signal, JSON.stringify({ ids }));
    },
  };
}
