import type { FastifyBaseLogger } from 'fastify';
import type { NotificationSource } from './collectNotifications.ts';
import { createNotificationSignal, waitForSignal } from './notificationSignal.ts';

/** Another platform may have paired or removed a host. */
const RECHECK_MS = 15_000;

/** Collects notifications of all paired bot hosts. */
export interface PairedCollection {
  /** Compares the paired hosts again after a change. */
  refresh(): void;
  /** Resolves when everything has ended. */
  readonly ended: Promise<void>;
}

/**
 * Collects notifications of each paired bot host while it is paired.
 *
 * @param sources the current hosts, by fingerprint
 * @param gatherFrom collects from one host until its signal aborts
 * @param signal ends everything
 */
export function collectFromPairedHosts(
  sources: () => Promise<ReadonlyMap<string, NotificationSource>>,
  gatherFrom: (source: NotificationSource, signal: AbortSignal) => Promise<void>,
  { log, signal }: { log: FastifyBaseLogger; signal: AbortSignal },
): PairedCollection {
  const controllers = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  const changes = createNotificationSignal();

  async function compare(): Promise<void> {
    const now = await sources();
    for (const [mark, controller] of controllers) {
      if (now.has(mark)) continue;
      controller.abort();
      controllers.delete(mark);
    }
    for (const [mark, source] of now) {
      if (controllers.has(mark)) continue;
      const controller = new AbortController();
      controllers.set(mark, controller);
      const work = gatherFrom(source, AbortSignal.any([signal, controller.signal])).finally(() => running.delete(work));
      running.add(work);
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const { next } = changes;
      await compare().catch((error: unknown) => log.info({ err: error }, 'paired bot hosts cannot be looked up'));
      await waitForSignal(next, RECHECK_MS, signal);
    }
    await Promise.all(running);
  }

  return { refresh: changes.notify, ended: watch() };
}
