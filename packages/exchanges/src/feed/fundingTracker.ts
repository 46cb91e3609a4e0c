import { type Price, percentRatio, type Ratio } from '@heron/engine/money/units.ts';
import type { ExchangeError } from '../errors.ts';
import type { FundingPayment, PublicFutures } from '../exchange.ts';

/** Interval of the reads of mark prices and funding times. */
const FETCH_PAUSE_MS = 3_000;
/** Payments are read from this long before a pair was followed, because the venue lists them late. */
const BEFORE_MS = 60_000;
/** A pair is read a second time after this, for a payment that was not listed yet. */
const SECOND_CHECK_MS = 30_000;
const LONGEST_WAIT_MS = 60_000;
/** A mark price counts for this long. */
const MARK_FOR_MS = 10_000;

/** A funding time of a pair has come. `id` is its time, as in a backtest. */
export interface FundingEvent {
  readonly type: 'funding';
  readonly at: number;
  readonly pair: string;
  readonly id: string;
  readonly rate: Ratio;
  /** 0 where the venue gives none. */
  readonly mark: Price;
}

/** Mark prices and funding payments of the followed contracts. */
export interface FundingTracker {
  /** Returns the mark price of the last ten seconds; 0 for none. */
  mark(pair: string): Price;
  /** Reads the venue when a read is due. */
  check(pairs: readonly string[]): void;
  /** Returns payments from a time until now, oldest first. @param since ms @throws ExchangeError */
  paymentsSince(pair: string, since: number): Promise<FundingEvent[]>;
}

interface Followed {
  /** Start of the payments that are not reported yet, ms by the venue's clock. */
  since: number;
  /** Time of the next read of the list of payments, ms by the venue's clock. */
  readAt: number;
  /** Funding time whose payment is expected; 0 before the first read. */
  due: number;
  /** Next funding time by the venue, ms; 0 before it is read. */
  nextAt: number;
}

/**
 * Reports each payment once, with the rate that was paid: the predicted rate may have changed. The first payments of a pair
 * may be older than its subscription, so that listeners ignore those that they know.
 *
 * @param now ms since 1970; stamps the events
 * @param onError is called when a read fails; it is repeated
 * @see docs/accounting.md#funding
 */
export function openFundingTracker(
  exchange: PublicFutures,
  now: () => number,
  emit: (event: FundingEvent) => void,
  onError: (error: ExchangeError) => void,
): FundingTracker {
  const marks = new Map<string, { readonly price: Price; readonly at: number }>();
  const followed = new Map<string, Followed>();
  let termsReadAt = Number.NEGATIVE_INFINITY;
  let isReadingTerms = false;
  let isReadingPayments = false;

  function eventOf(pair: string, { time, rate, mark }: FundingPayment): FundingEvent {
    return { type: 'funding', at: now(), pair, id: `${time}`, rate: percentRatio(100 * rate), mark };
  }

  async function readTerms(pairs: readonly string[]): Promise<void> {
    isReadingTerms = true;
    termsReadAt = now();
    try {
      for (const { pair, mark, nextAt } of await exchange.funding(pairs)) {
        marks.set(pair, { price: mark, at: now() });
        const own = followed.get(pair);
        if (own === undefined) continue;
        own.nextAt = nextAt;
        // The venue may shorten the funding interval.
        if (nextAt < own.due && nextAt >= own.since) own.due = own.readAt = nextAt;
      }
    } catch (error) {
      // `PublicExchange` rejects with an `ExchangeError` only.
      onError(error as ExchangeError);
    } finally {
      isReadingTerms = false;
    }
  }

  /** Reads the payments that are due, one contract after another. One that fails does not prevent the others. */
  async function readDuePayments(): Promise<void> {
    if (isReadingPayments) return;
    isReadingPayments = true;
    try {
      for (const [pair, own] of followed) {
        if (own.nextAt === 0 || own.readAt > exchange.time()) continue;
        await readPayments(pair, own).catch(onError);
      }
    } finally {
      isReadingPayments = false;
    }
  }

  async function readPayments(pair: string, own: Followed): Promise<void> {
    const at = exchange.time();
    const payments = await exchange.fundingHistory(pair, own.since, at + 1);
    for (const payment of payments) {
      own.since = payment.time + 1;
      emit(eventOf(pair, payment));
    }
    const first = own.due === 0;
    if (own.due < own.since) own.due = own.nextAt;
    // The venue lists a payment with a delay: it is read again with growing pauses.
    const again = at + Math.min(LONGEST_WAIT_MS, Math.max(FETCH_PAUSE_MS, at - own.due));
    own.readAt = own.due <= at ? again : first ? Math.min(own.due, at + SECOND_CHECK_MS) : own.due;
  }

  return {
    mark(pair) {
      const mark = marks.get(pair);
      return mark === undefined || now() - mark.at > MARK_FOR_MS ? 0 : mark.price;
    },
    check(pairs) {
      const at = exchange.time();
      for (const pair of followed.keys()) if (!pairs.includes(pair)) followed.delete(pair);
      for (const pair of pairs) {
        if (followed.has(pair)) continue;
        followed.set(pair, { since: at - BEFORE_MS, readAt: at, due: 0, nextAt: 0 });
        // A new pair has no mark price yet.
        termsReadAt = Number.NEGATIVE_INFINITY;
      }
      if (pairs.length === 0 || isReadingTerms || now() < termsReadAt + FETCH_PAUSE_MS) return;
      void readTerms(pairs).then(readDuePayments);
    },
    async paymentsSince(pair, since) {
      const payments = await exchange.fundingHistory(pair, since, exchange.time() + 1);
      return payments.map((payment) => eventOf(pair, payment));
    },
  };
}
