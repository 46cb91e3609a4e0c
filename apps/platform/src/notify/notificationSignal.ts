import { setTimeout as delay } from 'node:timers/promises';

/** Wakes whoever waits for it. */
export interface NotificationSignal {
  /** Until it rings the next time. */
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

/** Waits until something has rung, for `ms`, or until the signal. @param rung of a bell, as it was before it was looked */
export async function waitForSignal(rung: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {});
  await Promise.race([rung, late]);
  over.abort();
}
