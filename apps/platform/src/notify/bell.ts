import { setTimeout as delay } from 'node:timers/promises';

/** Wakes whoever waits for it. */
export interface Bell {
  /** Until it rings the next time. */
  readonly rung: Promise<void>;
  ring(): void;
}

export function makeBell(): Bell {
  let next = Promise.withResolvers<void>();
  return {
    get rung() {
      return next.promise;
    },
    ring() {
      next.resolve();
      next = Promise.withResolvers();
    },
  };
}

/** Waits until something has rung, for `ms`, or until the signal. @param rung of a bell, as it was before it was looked */
export async function untilRung(rung: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {});
  await Promise.race([rung, late]);
  over.abort();
}
