import { tooManyRequests } from './limits.ts';

const SECONDS = 60;

/** Requests of one address in the minute since its first one. */
type Minute = { requests: number; readonly endsAt: number };

/**
 * Limits requests per address in this process, for all calls together.
 *
 * @param perMinute far more than a screen needs
 * @param now in ms; for tests
 * @returns throws CallError `too_many_requests`
 */
export function createRequestLimiter(perMinute = 3_000, now: () => number = performance.now.bind(performance)) {
  // Ordered by end, because all minutes have the same length.
  const minutes = new Map<string, Minute>();

  function forget(at: number): void {
    for (const [address, { endsAt }] of minutes) {
      if (endsAt > at) return;
      minutes.delete(address);
    }
  }

  return (address: string): void => {
    const at = now();
    const minute = minutes.get(address);
    if (minute === undefined || minute.endsAt <= at) {
      forget(at);
      minutes.set(address, { requests: 1, endsAt: at + SECONDS * 1_000 });
    } else if (++minute.requests > perMinute) throw tooManyRequests((minute.endsAt - at) / 1_000);
  };
}
