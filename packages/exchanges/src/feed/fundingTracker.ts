import { type Price, percentRatio, type Ratio } from '@heron/engine/money/units.ts';
import type { ExchangeError } from '../errors.ts';
import type { FundingPayment, PublicFutures } from '../exchange.ts';

/** How often the venue is asked for marks and funding times. */
const FETCH_PAUSE_MS = 3_000;
/** Payments are looked for from so long before a pair was followed: the venue may have written one down since. */
const BEFORE_MS = 60_000;
/** A pair is looked at a second time so long after the first, for a payment that was not written down yet. */
const SECOND_CHECK_MS = 30_000;
const LONGEST_WAIT_MS = 60_000;

/** A funding time of a pair has come. `id` is its time, as in a backtest. */
export interface FundingEvent {
  readonly type: 'funding';
  readonly at: number;
  readonly pair: string;
  readonly id: string;
  readonly rate: Ratio;
  /** 0 where the venue tells none. */
  readonly mark: Price;
}

/** Mark prices and funding payments of the perpetual contracts that are followed. */
export interface FundingTracker {
  /** Last mark price told; 0 before the first. */
  mark(pair: string): Price;
  /** Asks the venue when it is time to. */
  check(pairs: readonly string[]): void;
  /** Payments from a time until now, oldest first. @param since ms @throws ExchangeError */
  paymentsSince(pair: string, since: number): Promise<FundingEvent[]>;
}

interface Followed {
  /** Payments from here on are not told yet, ms by the venue's clock. */
  since: number;
  /** When the list of payments is to be looked at next, likewise. */
  lookAt: number;
  /** The funding time whose payment is waited for; 0 before the first look. */
  due: number;
}

/**
 * Payments are told once each, as the venue made them: the rate that was shown beforehand may still have changed. The first
 * ones told of a pair may be older than its being followed: who was not there, or has heard of them, lets them pass.
 *
 * @param now ms since 1970; stamps the events
 * @param trouble told when the venue cannot be asked; it is asked again
 * @see docs/accounting.md#funding
 */
export function openFundingTracker(
  exchange: PublicFutures,
  now: () => number,
  emit: (event: FundingEvent) => void,
  trouble: (error: ExchangeError) => void,
): FundingTracker {
  const marks = new Map<string, Price>();
  const followed = new Map<string, Followed>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching = false;

  function eventOf(pair: string, { time, rate, mark }: FundingPayment): FundingEvent {
    return { type: 'funding', at: now(), pair, id: `${time}`, rate: percentRatio(100 * rate), mark };
  }

  async function fetchPayments(pairs: readonly string[]): Promise<void> {
    for (const { pair, mark, nextAt } of await exchange.funding(pairs)) {
      marks.set(pair, mark);
      const own = followed.get(pair);
      if (own === undefined) continue;
      // The venue may begin to pay more often.
      if (nextAt < own.due && nextAt >= own.since) own.due = own.lookAt = nextAt;
      if (own.lookAt <= exchange.time()) await checkNow(pair, own, nextAt);
    }
  }

  async function checkNow(pair: string, own: Followed, nextAt: number): Promise<void> {
    const at = exchange.time();
    const payments = await exchange.fundingHistory(pair, own.since, at + 1);
    for (const payment of payments) {
      own.since = payment.time + 1;
      emit(eventOf(pair, payment));
    }
    const first = own.due === 0;
    if (own.due < own.since) own.due = nextAt;
    // The venue may need a moment to write a payment down: then it is asked again, less and less often.
    const again = at + Math.min(LONGEST_WAIT_MS, Math.max(FETCH_PAUSE_MS, at - own.due));
    own.lookAt = own.due <= at ? again : first ? Math.min(own.due, at + SECOND_CHECK_MS) : own.due;
  }

  return {
    mark: (pair) => marks.get(pair) ?? 0,
    check(pairs) {
      const at = exchange.time();
      for (const pair of followed.keys()) if (!pairs.includes(pair)) followed.delete(pair);
      for (const pair of pairs) {
        if (!followed.has(pair)) followed.set(pair, { since: at - BEFORE_MS, lookAt: at, due: 0 });
      }
      const waiting = [...followed.values()].some(({ lookAt }) => lookAt <= at);
      if (pairs.length === 0 || fetching || (!waiting && now() < fetchedAt + FETCH_PAUSE_MS)) return;
      fetching = true;
      fetchedAt = now();
      fetchPayments(pairs)
        .catch(trouble)
        .finally(() => {
          fetching = false;
        });
    },
    async paymentsSince(pair, since) {
      const payments = await exchange.fundingHistory(pair, since, exchange.time() + 1);
      return payments.map((payment) => eventOf(pair, payment));
    },
  };
}
