import { RateLimited } from '../errors.ts';
import { openWeightLeases, type SharedCount } from './weightLeases.ts';

/** Share of the limit that each kind of request may use. The rest stays free for more urgent kinds. */
const SHARES = { order: 0.97, account: 0.9, read: 0.75, bulk: 0.5 } as const;
/** Default length of a window. */
export const MINUTE_MS = 60_000;
/** Pause after a "too many requests" without a duration. */
const PAUSE_MS = 60_000;
/** An order that would wait longer is rejected, because its prices would be old. */
const LONGEST_ORDER_WAIT_MS = 1_000;

export type RequestKind = keyof typeof SHARES;

/**
 * Keeps all requests of a process to one venue within the venue's limit, and stops them during a pause that the venue
 * requests. With a shared count, all processes with the same IP address stay within the limit together.
 */
export interface RateBudget {
  /**
   * Resolves when a request may be sent, and counts it.
   *
   * @param weight as the venue counts it
   * @throws RateLimited during a pause, and for orders that would have to wait
   */
  acquire(weight: number, kind: RequestKind): Promise<void>;
  /** Reads the used weight from the headers of a response, and a pause from its status. */
  onResponse(status: number, headers: Headers): void;
  /** Records the weight that all processes have used in this window, as a WebSocket message reports it. */
  onUsedWeight(weight: number): void;
  /** Returns the end of the pause, ms; null when there is none. */
  retryAt(): number | null;
}

/** Limits of a venue. */
export interface RateLimits {
  /** Maximum sum of weights in a window. */
  readonly weight: number;
  /** Header that reports the sum of all processes on the IP address; null where there is none. */
  readonly header: string | null;
  /** Length of a window by the venue's clock, ms; default a minute. */
  readonly windowMs?: number;
}

/**
 * @param time.now the venue's clock, ms @param time.wait resolves after so many ms
 * @param shared counts for all processes with the same IP address; without it this process counts for itself
 */
export function openRateBudget(
  exchange: string,
  limits: RateLimits,
  time: { now(): number; wait(ms: number): Promise<void> },
  shared?: SharedCount,
): RateBudget {
  const windowMs = limits.windowMs ?? MINUTE_MS;
  const leases = shared === undefined ? null : openWeightLeases(shared, { weight: limits.weight, windowMs }, time);
  let address = shared?.address();
  let windowStart = 0;
  let used = 0;
  let blockedUntil = 0;

  function inWindow(): number {
    const start = Math.floor(time.now() / windowMs) * windowMs;
    if (start !== windowStart) {
      windowStart = start;
      used = 0;
    }
    return used;
  }

  function learnUsed(weight: number): void {
    followAddress();
    used = Math.max(inWindow(), weight);
  }

  /** Resets the used weight and the pause when the IP address changes: both belong to one address. */
  function followAddress(): void {
    if (shared === undefined || shared.address() === address) return;
    address = shared.address();
    used = 0;
    blockedUntil = 0;
  }

  function refuseWhileBlocked(): void {
    followAddress();
    if (time.now() < blockedUntil) throw new RateLimited(exchange, blockedUntil);
  }

  /** Counts a request and returns null, or returns the start of the next window, ms. */
  async function count(weight: number, kind: RequestKind): Promise<number | null> {
    const allowed = limits.weight * SHARES[kind];
    if (inWindow() + weight > allowed) return windowStart + windowMs;
    used += weight;
    if (leases === null) return null;
    const counted = windowStart;
    const next = await leases.acquire(weight, allowed, kind === 'order' ? 'order' : 'other');
    inWindow();
    if (next !== null && windowStart === counted) used = Math.max(0, used - weight);
    if (next === null && windowStart !== counted) used += weight;
    return next;
  }

  return {
    async acquire(weight, kind) {
      for (;;) {
        refuseWhileBlocked();
        const next = await count(weight, kind);
        if (next === null) {
          // A pause may have begun during the wait.
          refuseWhileBlocked();
          return;
        }
        const left = next - time.now();
        if (kind === 'order' && left > LONGEST_ORDER_WAIT_MS) throw new RateLimited(exchange, next);
        await time.wait(Math.max(1, left));
      }
    },
    onResponse(status, headers) {
      followAddress();
      const usedWeight = Number((limits.header === null ? null : headers.get(limits.header)) ?? Number.NaN);
      if (Number.isFinite(usedWeight)) learnUsed(usedWeight);
      if (status !== 429 && status !== 418) return;
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      const pause = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : PAUSE_MS;
      blockedUntil = Math.max(blockedUntil, time.now() + pause);
    },
    onUsedWeight: learnUsed,
    retryAt() {
      followAddress();
      return time.now() < blockedUntil ? blockedUntil : null;
    },
  };
}
