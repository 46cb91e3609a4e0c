import { type ExchangeRefused, isKeyRefusal } from '@heron/exchanges/errors.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';

/** A key that is refused within this time after its permissions were confirmed is checked with back-off. */
const CONFIRMED_MS = 60_000;
/** The first interval of the back-off. */
const FIRST_WAIT_MS = 60_000;
const WAIT_GROWS = 4;
const LONGEST_WAIT_MS = 900_000;

/** Tracks whether the exchange accepts the API key of a bot. */
export interface KeyPermissionCheck {
  /** Returns the refusal of the key; null while the key is not known to be refused. */
  refusal(): ExchangeRefused | null;
  /** Records a failed call. @returns whether it is the first that refuses the key */
  failed(error: unknown): boolean;
  /** Records that an order was accepted, which proves that the key is accepted. */
  worked(): void;
  /**
   * Returns whether the key is accepted, and reads its permissions when that is in doubt. The key stays refused while they cannot
   * be read. If orders are refused although the permissions allow trading, the next read is delayed with back-off.
   *
   * @param wasRefused whether the saved state of the bot contains a refusal
   */
  isAccepted(trading: Pick<TradingExchange, 'permissions'>, wasRefused: boolean): Promise<boolean>;
}

/** @param now ms since 1970 */
export function openKeyPermissionCheck(now: () => number): KeyPermissionCheck {
  let refusal: ExchangeRefused | null = null;
  /** An order was accepted since the last refusal. */
  let isProven = false;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let waitMs = 0;
  let checkAt = 0;

  return {
    refusal: () => refusal,
    failed(error) {
      if (!isKeyRefusal(error) || refusal !== null) return false;
      refusal = error;
      isProven = false;
      const falselyConfirmed = now() - confirmedAt < CONFIRMED_MS;
      waitMs = falselyConfirmed ? Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs * WAIT_GROWS)) : 0;
      checkAt = now() + waitMs;
      return true;
    },
    worked() {
      refusal = null;
      isProven = true;
      waitMs = 0;
    },
    async isAccepted(trading, wasRefused) {
      if (isProven || (refusal === null && !wasRefused)) return true;
      if (now() < checkAt) return false;
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
