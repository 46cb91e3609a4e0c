import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';

/** A key that is refused so soon after the exchange confirmed its permissions was not accepted in truth. */
const CONFIRMED_MS = 60_000;
/** Then the exchange is asked again after this, and after a longer interval each time. */
const FIRST_WAIT_MS = 60_000;
const WAIT_GROWS = 4;
const LONGEST_WAIT_MS = 900_000;

/** Tracks whether the exchange accepts the API key of a bot. */
export interface KeyDoubt {
  /** Why the exchange last refused the key; null when it is not refused, as far as is known. */
  refusal(): ExchangeRefused | null;
  /** Notes a failed call. @returns whether it is the first that says that the key is refused */
  failed(error: unknown): boolean;
  /** An order was accepted: so is the key. */
  worked(): void;
  /**
   * Returns whether the key is accepted, and asks the exchange when that is in doubt. A key stays refused while its permissions cannot
   * be read, and for longer each time when orders were refused in spite of them.
   *
   * @param wasRefused as the bot's saved state has it
   */
  isAccepted(trading: Pick<TradingExchange, 'permissions'>, wasRefused: boolean): Promise<boolean>;
}

/** @param now ms since 1970 */
export function openKeyDoubt(now: () => number): KeyDoubt {
  let refusal: ExchangeRefused | null = null;
  /** An order was accepted since the last refusal. */
  let isProven = false;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let waitMs = 0;
  let askAt = 0;

  return {
    refusal: () => refusal,
    failed(error) {
      if (!isKeyRefusal(error) || refusal !== null) return false;
      refusal = error;
      isProven = false;
      const falselyConfirmed = now() - confirmedAt < CONFIRMED_MS;
      waitMs = falselyConfirmed ? Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs * WAIT_GROWS)) : 0;
      askAt = now() + waitMs;
      return true;
    },
    worked() {
      refusal = null;
      isProven = true;
      waitMs = 0;
    },
    async isAccepted(trading, wasRefused) {
      if (isProven || (refusal === null && !wasRefused)) return true;
      if (now() < askAt) return false;
      const trade = await trading.permissions().then(
        (permissions) => permissions.trade,
        () => false,
      );
      if (!trade) return false;
      refusal = null;
      confirmedAt = now();
      return true;
    },
  };
}

function isKeyRefusal(error: unknown): error is ExchangeRefused {
  return error instanceof ExchangeRefused && error.about === 'not_allowed';
}
