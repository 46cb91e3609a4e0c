import { HOST_NOTIFICATION_PATHS, hostNotifications } from '@heron/contract/bots/notifications.ts';
import type { NotificationSource } from './collectNotifications.ts';

/** The bot host is asked to wait so long for a notice, and has a little longer to say that there is none. */
const WAIT_S = 25;
const ANSWER_MS = 35_000;

/** What bots of this Heron's own bot host tell. @param host where it is, and what it knows us by */
export function createOwnSource(host: { readonly url: string; readonly secret: string }): NotificationSource {
  async function ask(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object): Promise<unknown> {
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
        await ask('GET', `${HOST_NOTIFICATION_PATHS.list}?wait=${WAIT_S}`, signal),
      );
      return { notifications: notices, ids: notices.map(({ id }) => id) };
    },
    async acknowledge(ids, signal) {
      await ask('POST', HOST_NOTIFICATION_PATHS.taken, signal, { ids });
    },
  };
}
