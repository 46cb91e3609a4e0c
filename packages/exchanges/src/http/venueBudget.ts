import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS, openRateBudget, type RateBudget, type RateLimits } from './rateBudget.ts';
import type { SharedCount } from './weightLeases.ts';

const BINANCE_HEADER = 'x-mbx-used-weight-1m';

/**
 * Request limits of each exchange for one IP address. Binance reports what the address has used in every answer, whichever process
 * has used it. MEXC reports nothing and counts each endpoint for itself, so this is less than it grants.
 */
const LIMITS = {
  binance: { weight: 6_000, header: BINANCE_HEADER },
  binanceusdm: { weight: 2_400, header: BINANCE_HEADER },
  mexc: { weight: 500, header: null, windowMs: 10_000 },
} as const satisfies Readonly<Record<string, RateLimits>>;

export type BudgetedExchange = keyof typeof LIMITS;

/** Options of {@link venueBudget}. */
interface BudgetOptions {
  /** Counts for all processes with the same IP address; without it this process counts for itself. */
  readonly shared?: SharedCount;
  /** Resolves after so many ms. */
  wait?(ms: number): Promise<void>;
}

/** Opens the budget of a process at one exchange, for everything that it asks there. @param now ms since 1970 */
export function venueBudget(
  exchange: BudgetedExchange,
  now: () => number,
  { shared, wait = (ms) => delay(ms) }: BudgetOptions = {},
): RateBudget {
  return openRateBudget(exchange, LIMITS[exchange], { now, wait }, shared);
}

/** Tells whether the limits of an exchange are known. */
export function isBudgeted(exchange: string): exchange is BudgetedExchange {
  return Object.hasOwn(LIMITS, exchange);
}

/** Length of the window in which an exchange counts, ms. */
export function rateWindowOf(exchange: BudgetedExchange): number {
  return rateLimitsOf(exchange).windowMs ?? MINUTE_MS;
}

export function rateLimitsOf(exchange: BudgetedExchange): RateLimits {
  return LIMITS[exchange];
}
