import { setTimeout as delay } from 'node:timers/promises';

/** Signals new work to waiting loops. */
export interface NotificationSignal {
  /** Resolves at the next notification. */
  readonly next: Promise<void>;
  notify(): void;
}

export function createNotificationSignal(): NotificationSignal {
  let next = Promise.withResolvers<void>();
  return {
    get next() {
      return next.promise;
    },
    notify() {
      next.resolve();
      next = Promise.withResolvers();
    },
  };
}

/**
 * Waits for a notification, for `ms`, or until the signal aborts.
 *
 * @param next taken before the loop looked for work, so that no notification is missed
 */
export async function waitForSignal(next: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {});
  await Promise.race([next, late]);
  over.abort();
}
