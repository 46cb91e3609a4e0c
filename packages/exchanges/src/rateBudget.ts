import { RateLimited } from './errors.ts';

/** Shares of the limit up to which a kind of request may go: what must not wait keeps room for itself. */
const SHARES = { order: 0.97, account: 0.9, read: 0.75, bulk: 0.5 } as const;
const MINUTE_MS = 60_000;
/** Pause after a "too many requests" that does not say how long. */
const PAUSE_MS = 60_000;
/** An order that would wait longer is better not sent: it was decided on the prices of then. */
const LONGEST_ORDER_WAIT_MS = 1_000;

export type RequestKind = keyof typeof SHARES;

/**
 * What all bots of a worker may ask of one venue together. Waits before the venue would refuse, and obeys it when it has.
 */
export interface RateBudget {
  /**
   * Resolves when a request may be sent, and counts it.
   *
   * @param weight as the venue counts it
   * @throws RateLimited while the venue has sent us away, and for orders that would have to wait
   */
  take(weight: number, kind: RequestKind): Promise<void>;
  /** Learns from the headers of an answer what was really used, and from its status whether to stay away. */
  learn(status: number, headers: Headers): void;
  /** Until when the venue wants to hear nothing, ms; null when it listens. */
  retryAt(): number | null;
}

/**
 * @param limits.weight greatest sum of weights in a window
 * @param limits.header in which the venue tells the sum so far; null where it does not
 * @param limits.windowMs length of a window, which begin with the venue's clock; a minute unless told
 * @param time.now the venue's clock, ms @param time.wait resolves after so many ms
 */
export function openRateBudget(
  exchange: string,
  limits: { readonly weight: number; readonly header: string | null; readonly windowMs?: number },
  time: { now(): number; wait(ms: number): Promise<void> },
): RateBudget {
  const windowMs = limits.windowMs ?? MINUTE_MS;
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

  return {
    async take(weight, kind) {
      for (;;) {
        const at = time.now();
        if (at < blockedUntil) throw new RateLimited(exchange, blockedUntil);
        if (inWindow() + weight <= limits.weight * SHARES[kind]) {
          used += weight;
          return;
        }
        const next = windowStart + windowMs;
        if (kind === 'order' && next - at > LONGEST_ORDER_WAIT_MS) throw new RateLimited(exchange, next);
        await time.wait(Math.max(1, next - at));
      }
    },
    learn(status, headers) {
      const told = Number((limits.header === null ? null : headers.get(limits.header)) ?? Number.NaN);
      inWindow();
      if (Number.isFinite(told)) used = Math.max(used, told);
      if (status !== 429 && status !== 418) return;
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      const pause = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : PAUSE_MS;
      blockedUntil = Math.max(blockedUntil, time.now() + pause);
    },
    retryAt: () => (time.now() < blockedUntil ? blockedUntil : null),
  };
}
