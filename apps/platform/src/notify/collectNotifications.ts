import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { CollectedNotification } from './collectedNotification.ts';
import { writeDeliveries } from './deliveries.ts';

/** After a bot host that does not answer, or has nothing to tell. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** A bot host that hands out what happened until it is told that it is taken. */
export interface NotificationSource {
  /** The paired bot host, for the log; null for this Heron's own. */
  readonly host: string | null;
  /** Waits for something to tell, but not forever. `ids` are all that were handed out, as the bot host knows them. */
  list(
    signal: AbortSignal,
  ): Promise<{ readonly notifications: readonly CollectedNotification[]; readonly ids: readonly string[] }>;
  acknowledge(ids: readonly string[], signal: AbortSignal): Promise<void>;
}

/**
 * Gathers what bots of one bot host tell. It is written down before the bot host is told so: nothing is lost, and what is handed
 * out twice is written down once.
 *
 * @param ground.written hears that there may be something to send
 * @param signal ends it
 */
export async function collectNotifications(
  source: NotificationSource,
  ground: {
    readonly database: Database;
    readonly log: FastifyBaseLogger;
    now(): number;
    written(): void;
  },
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = ground;
  const sleep = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  let pause = FIRST_PAUSE_MS;
  let away = false;
  while (!signal.aborted) {
    const begun = ground.now();
    try {
      const { notifications, ids } = await source.list(signal);
      pause = FIRST_PAUSE_MS;
      away = false;
      if (ids.length === 0) {
        // One that is about to stop has waited for nothing.
        if (ground.now() - begun < FIRST_PAUSE_MS) await sleep(FIRST_PAUSE_MS);
        continue;
      }
      // Whoever has gone meanwhile is told nothing of it.
      if (signal.aborted) return;
      await writeDeliveries(database, notifications, ground.now());
      ground.written();
      await source.acknowledge(ids, signal);
      if (notifications.length < ids.length) log.info({ host: source.host }, 'a bot host tells what cannot be read');
    } catch (error) {
      if (signal.aborted) return;
      if (!away) log.info({ host: source.host, err: error }, 'what bots tell cannot be gathered at the moment');
      away = true;
      await sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
}
