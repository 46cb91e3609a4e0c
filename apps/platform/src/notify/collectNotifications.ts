import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { CollectedNotification } from './collectedNotification.ts';
import { writeDeliveries } from './deliveries.ts';

/** Delay after an error of the bot host, or an empty response. */
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** A bot host that returns notifications until they are acknowledged. */
export interface NotificationSource {
  /** Name of the paired bot host for the log; null for the own bot host. */
  readonly host: string | null;
  /** Waits for notifications for a limited time. `ids` are all returned ids, as the bot host knows them. */
  list(
    signal: AbortSignal,
  ): Promise<{ readonly notifications: readonly CollectedNotification[]; readonly ids: readonly string[] }>;
  acknowledge(ids: readonly string[], signal: AbortSignal): Promise<void>;
}

/**
 * Collects notifications of one bot host. Stores them before it acknowledges them, so that none is lost. A notification
 * that is returned twice is stored once.
 *
 * @param deps.written is called when there may be something to send
 * @param signal ends the collection
 */
export async function collectNotifications(
  source: NotificationSource,
  deps: {
    readonly database: Database;
    readonly log: FastifyBaseLogger;
    now(): number;
    written(): void;
  },
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const sleep = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const backoff = createBackoff({ minMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS });
  let isAway = false;
  while (!signal.aborted) {
    const startedAt = deps.now();
    try {
      const { notifications, ids } = await source.list(signal);
      backoff.reset();
      isAway = false;
      if (ids.length === 0) {
        // A bot host that is stopping returns at once.
        if (deps.now() - startedAt < MIN_DELAY_MS) await sleep(MIN_DELAY_MS);
        continue;
      }
      // A removed host is not acknowledged.
      if (signal.aborted) return;
      await writeDeliveries(database, notifications, deps.now());
      deps.written();
      await source.acknowledge(ids, signal);
      if (notifications.length < ids.length)
        log.info({ host: source.host }, 'notifications of a bot host cannot be read');
    } catch (error) {
      if (signal.aborted) return;
      if (!isAway)
        log.info({ host: source.host, err: error }, 'notifications of a bot host cannot be collected at the moment');
      isAway = true;
      await backoff.wait(signal);
    }
  }
}
