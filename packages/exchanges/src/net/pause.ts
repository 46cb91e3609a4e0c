/** No request may be sent before `until`, ms since 1970. `banned`: the exchange answered 418 to this IP address. */
export interface Pause {
  readonly until: number;
  readonly banned: boolean;
}

/** Pause after a "too many requests" without a duration. */
const DEFAULT_MS = 60_000;
/** Pause after a ban without a duration: the shortest that Binance documents. */
const DEFAULT_BAN_MS = 120_000;

/**
 * Returns the pause that a response requests, or null for any other response.
 *
 * @param retryAfter text of the header of that name, in seconds
 * @param body where Binance writes the end of a ban: `IP banned until 1659146400000`
 */
export function pauseOf(status: number, retryAfter: string | null, body: string, now: number): Pause | null {
  if (status !== 429 && status !== 418) return null;
  const banned = status === 418;
  const seconds = Number(retryAfter ?? Number.NaN);
  const retryAt = Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1_000 : 0;
  const written = Number(/banned until (\d{13})/i.exec(body)?.[1] ?? 0);
  const until = Math.max(retryAt, written);
  // Whole milliseconds: seconds may come with a fraction.
  return { until: Math.ceil(until > now ? until : now + (banned ? DEFAULT_BAN_MS : DEFAULT_MS)), banned };
}

/**
 * Returns the pause that a response of Binance's WebSocket API requests, or null for any other message.
 *
 * @param message with `retryAfter` and `serverTime` in its `error.data`, both ms since 1970 by the clock of the exchange
 */
export function pauseOfMessage(message: object, now: number): Pause | null {
  const { status, error } = message as { status?: unknown; error?: { msg?: unknown; data?: Record<string, unknown> } };
  const code = Number(status);
  const { retryAfter, serverTime } = error?.data ?? {};
  // Their difference does not depend on the clock of this machine.
  const leftMs = Number(retryAfter) - (serverTime === undefined ? now : Number(serverTime));
  return pauseOf(code, leftMs > 0 ? String(leftMs / 1_000) : null, leftMs > 0 ? '' : String(error?.msg), now);
}
