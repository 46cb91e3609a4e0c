import type { FastifyBaseLogger } from 'fastify';
import type { NotificationSource } from './collectNotifications.ts';
import { createNotificationSignal, waitForSignal } from './notificationSignal.ts';

/** Another platform may have paired or removed one. */
const LOOK_AGAIN_MS = 15_000;

/** Looks after paired bot hosts that are gathered from. */
export interface PairedCollection {
  /** Hosts may be others than they were. */
  refresh(): void;
  /** When everything has ended. */
  readonly ended: Promise<void>;
}

/**
 * Gathers from each paired bot host while it is paired.
 *
 * @param sources those there are, by what makes one the same as before
 * @param gatherFrom gathers from one until its signal
 * @param signal ends all
 */
export function collectFromPairedHosts(
  sources: () => Promise<ReadonlyMap<string, NotificationSource>>,
  gatherFrom: (source: NotificationSource, signal: AbortSignal) => Promise<void>,
  { log, signal }: { log: FastifyBaseLogger; signal: AbortSignal },
): PairedCollection {
  const gone = new Map<string, AbortController>();
  const underWay = new Set<Promise<void>>();
  const bell = createNotificationSignal();

  async function compare(): Promise<void> {
    const now = await sources();
    for (const [mark, controller] of gone) {
      if (now.has(mark)) continue;
      controller.abort();
      gone.delete(mark);
    }
    for (const [mark, source] of now) {
      if (gone.has(mark)) continue;
      const controller = new AbortController();
      gone.set(mark, controller);
      const work = gatherFrom(source, AbortSignal.any([signal, controller.signal])).finally(() =>
        underWay.delete(work),
      );
      underWay.add(work);
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const { next } = bell;
      await compare().catch((error: unknown) => log.info({ err: error }, 'paired bot hosts cannot be looked up'));
      await waitForSignal(next, LOOK_AGAIN_MS, signal);
    }
    await Promise.all(underWay);
  }

  return { refresh: bell.notify, ended: watch() };
}
