import { setTimeout as delay } from 'node:timers/promises';

/** Spreads the requests of one adapter over time. */
export interface Pacer {
  /** Resolves when a request of this weight may be sent. The next request waits for as long as the weight takes. */
  pass(weight: number): Promise<void>;
}

/** @param msPerWeight time that a request of weight 1 takes of the venue's limit */
export function openPacer(msPerWeight: number): Pacer {
  let freeAt = 0;
  return {
    async pass(weight) {
      const now = performance.now();
      const startAt = Math.max(now, freeAt);
      freeAt = startAt + weight * msPerWeight;
      if (startAt > now) await delay(startAt - now);
    },
  };
}
