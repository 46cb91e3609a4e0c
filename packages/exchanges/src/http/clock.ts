import type { Row } from './row.ts';

/** The offset is measured again after this time. */
const MEASURED_FOR_MS = 600_000;

/** The venue's clock, for requests that bear a time. */
export interface SignedClock {
  /** Returns the venue's time of a local time, ms. */
  venueTime(localAt: number): number;
  /** Measures the offset when the last measurement is old. @throws ExchangeError */
  sync(): Promise<void>;
  /** Discards the measurement, so that the next `sync` measures. */
  invalidate(): void;
}

/** Returns the time in the response of a venue's clock, ms. @throws TypeError when it has none */
export function serverTimeOf({ serverTime }: Row): number {
  const time = Number(serverTime);
  // `Number` turns null and an empty text into 0.
  if (!Number.isFinite(time) || time <= 0) throw new TypeError(`${String(serverTime)} is no time`);
  return time;
}

/** @param readServerTime returns the venue's time, ms */
export function openSignedClock(readServerTime: () => Promise<number>, now: () => number): SignedClock {
  let offset = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | null = null;

  async function measure(): Promise<void> {
    const sentAt = now();
    const serverTime = await readServerTime();
    const receivedAt = now();
    offset = Math.round(serverTime - (sentAt + receivedAt) / 2);
    measuredAt = receivedAt;
  }

  return {
    venueTime: (localAt) => localAt + offset,
    async sync() {
      if (now() - measuredAt < MEASURED_FOR_MS) return;
      measuring ??= measure().finally(() => {
        measuring = null;
      });
      await measuring;
    },
    invalidate() {
      measuredAt = Number.NEGATIVE_INFINITY;
    },
  };
}
