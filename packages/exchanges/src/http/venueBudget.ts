import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS, openRateBudget, type RateBudget, type RateLimits } from './rateBudget.ts';
import type { SharedCount } from './weightLeases.ts';

const BINANCE_HEADER = 'x-mbx-used-weight-1m';

/**
 * Request limits of each exchange for one IP address. Binance reports the used weight of the address each time. MEXC
 * reports nothing and counts each endpoint alone, so that this limit is below the real one.
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
  /** Resolves after `ms`. */
  wait?(ms: number): Promise<void>;
}

/** Opens the rate budget of a process at one exchange. @param now ms since 1970 */
export function venueBudget(
  exchange: BudgetedExchange,
  now: () => number,
  { shared, wait = (ms) => delay(ms) }: BudgetOptions = {},
): RateBudget {
  return openRateBudget(exchange, LIMITS[exchange], { now, wait }, shared);
}

/** Whether the limits of an exchange are known. */
export function isBudgeted(exchange: string): exchange is BudgetedExchange {
  return Object.hasOwn(LIMITS, exchange);
}

/** Returns the length of the window in which an exchange counts, ms. */
export function rateWindowOf(exchange: BudgetedExchange): number {
  return rateLimitsOf(exchange).windowMs ?? MINUTE_MS;
}

export function rateLimitsOf(exchange: BudgetedExchange): RateLimits {
  return LIMITS[exchange];
}
