import { type Price, percentRatio, type Ratio } from '@heron/engine/money/units.ts';
import type { ExchangeError } from '../errors.ts';
import type { FundingPayment, PublicFutures } from '../exchange.ts';

/** How often the venue is asked for marks and funding times. */
const ASK_MS = 3_000;

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
export interface FundingWatch {
  /** Last mark price told; 0 before the first. */
  mark(pair: string): Price;
  /** Asks the venue when it is time to. */
  check(pairs: readonly string[]): void;
  /** Payments from a time until now, oldest first. @param since ms @throws ExchangeError */
  missed(pair: string, since: number): Promise<FundingEvent[]>;
}

/**
 * Payments are told once each, as the venue made them: the rate that was shown beforehand may still have changed.
 *
 * @param now ms since 1970; stamps the events
 * @param trouble told when the venue cannot be asked; it is asked again
 * @see accounting.md 3.3
 */
export function openFundingWatch(
  exchange: PublicFutures,
  now: () => number,
  tell: (event: FundingEvent) => void,
  trouble: (error: ExchangeError) => void,
): FundingWatch {
  const marks = new Map<string, Price>();
  /** When each pair pays next, until that payment was told. */
  const due = new Map<string, number>();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = false;

  function eventOf(pair: string, { time, rate, mark }: FundingPayment): FundingEvent {
    return { type: 'funding', at: now(), pair, id: `${time}`, rate: percentRatio(100 * rate), mark };
  }

  async function ask(pairs: readonly string[]): Promise<void> {
    for (const { pair, mark, nextAt } of await exchange.funding(pairs)) {
      marks.set(pair, mark);
      const waited = due.get(pair);
      if (waited === undefined) due.set(pair, nextAt);
      else if (waited <= exchange.time()) await settle(pair, waited, nextAt);
    }
  }

  async function settle(pair: string, from: number, nextAt: number): Promise<void> {
    const payments = await exchange.fundingHistory(pair, from, exchange.time() + 1);
    // The venue may need a moment to write it down: then it is asked again.
    if (payments.length === 0) return;
    due.set(pair, Math.max(nextAt, (payments.at(-1)?.time ?? from) + 1));
    for (const payment of payments) tell(eventOf(pair, payment));
  }

  return {
    mark: (pair) => marks.get(pair) ?? 0,
    check(pairs) {
      for (const pair of due.keys()) if (!pairs.includes(pair)) due.delete(pair);
      if (pairs.length === 0 || asking || now() < askedAt + ASK_MS) return;
      asking = true;
      askedAt = now();
      ask(pairs)
        .catch(trouble)
        .finally(() => {
          asking = false;
        });
    },
    async missed(pair, since) {
      const payments = await exchange.fundingHistory(pair, since, exchange.time() + 1);
      return payments.map((payment) => eventOf(pair, payment));
    },
  };
}
