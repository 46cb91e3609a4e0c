import { HOST_NOTIFICATION_PATHS, hostNotifications } from '@heron/contract/bots/notifications.ts';
import type { NotificationSource } from './collectNotifications.ts';

/** Seconds for which the bot host waits for a notification. The response may take a little longer. */
const WAIT_S = 25;
const ANSWER_MS = 35_000;

/** Creates the source of notifications of the own bot host. @param host its address, and the secret of the platform */
export function createOwnSource(host: { readonly url: string; readonly secret: string }): NotificationSource {
  async function call(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object): Promise<unknown> {
    const response = await fetch(new URL(path, host.url), {
      method,
      headers: {
        authorization: `Heron ${host.secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (!response.ok) throw new Error(`the bot host answers ${response.status}`);
    return response.json();
  }

  return {
    host: null,
    async list(signal) {
      const { notices } = hostNotifications.parse(
        await call('GET', `${HOST_NOTIFICATION_PATHS.list}?wait=${WAIT_S}`, signal),
      );
      return { notifications: notices, ids: notices.map(({ id }) => id) };
    },
    async acknowledge(ids, signal) {
      await call('POST', HOST_NOTIFICATION_PATHS.taken, signal, { ids });
    },
  };
}
