import { mexcError } from './errors.ts';

/** Each endpoint has its own limit of weight in windows of this length. */
const WINDOW_MS = 10_000;
export const WINDOW_WEIGHT = 500;
/** Rejected requests of a client before it is banned. */
export const REJECTIONS_BEFORE_BAN = 200;
const FIRST_BAN_MS = 2 * 60_000;
const MAX_BAN_MS = 3 * 86_400_000;

type Count = { window: number; weight: number; rejected: number };

/** The usage of all clients of the sandbox. They share one address and one account. */
export class RateLimits {
  readonly #counts = new Map<string, Count>();
  #bannedUntil = 0;
  #nextBanMs = FIRST_BAN_MS;

  /**
   * Counts a request.
   *
   * @param endpoint method and path
   * @throws MexcError 429 in a window that is used up, 418 when the client goes on; both have the time to wait
   */
  request(now: number, endpoint: string, weight: number): void {
    if (now < this.#bannedUntil) throw mexcError.banned(seconds(this.#bannedUntil - now));
    const window = Math.floor(now / WINDOW_MS);
    let count = this.#counts.get(endpoint);
    if (count?.window !== window) {
      count = { window, weight: 0, rejected: 0 };
      this.#counts.set(endpoint, count);
    }
    if (count.weight + weight <= WINDOW_WEIGHT) {
      count.weight += weight;
      return;
    }
    count.rejected++;
    if (count.rejected > REJECTIONS_BEFORE_BAN) {
      this.#bannedUntil = now + this.#nextBanMs;
      const banned = this.#nextBanMs;
      this.#nextBanMs = Math.min(MAX_BAN_MS, banned * 2);
      throw mexcError.banned(seconds(banned));
    }
    throw mexcError.tooManyRequests(seconds((window + 1) * WINDOW_MS - now));
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
