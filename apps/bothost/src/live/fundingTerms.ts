import type { OwnIncome } from '@heron/engine/live/report.ts';
import { exact, SCALE } from '@heron/engine/money/units.ts';
import type { FundingPayment, PublicExchange, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { LiveDeps } from './liveMachine.ts';

/** Maximum difference between the times of a payment and of its income. @see docs/accounting.md#funding */
const JITTER_MS = 15_000;
/** Maximum number of cached payments. */
const MAX_PAYMENTS = 10_000;
/** A payment may be booked this much later, because its income and the fills of its position are read again for ten minutes. */
const TERMS_TIMEOUT_MS = 480_000;

/**
 * Adds to funding incomes the rate and mark price of their payments, from which the bot's share of a payment is computed. An
 * income stays as it is when the venue lists no payment for it. It is in `later` when the payments cannot be read now.
 *
 * @returns rejects with an `ExchangeError` when an income is too old to be postponed
 */
export function createFundingTerms(exchange: PublicExchange): LiveDeps['attachFundingTerms'] {
  const known = new Map<string, FundingPayment>();
  /** Requests in progress. All bots receive funding at the same time, so they share one request. */
  const pending = new Map<string, Promise<void>>();

  /** Reads the payments of a pair at some times, with one request. */
  async function readPayments(venue: PublicFutures, pair: string, times: readonly number[]): Promise<void> {
    try {
      const payments = await venue.fundingHistory(
        pair,
        Math.min(...times) - JITTER_MS + 1,
        Math.max(...times) + JITTER_MS,
      );
      for (const at of times) {
        const near = payments.filter(({ time }) => Math.abs(time - at) < JITTER_MS);
        const [nearest] = near.sort((a, b) => Math.abs(a.time - at) - Math.abs(b.time - at));
        if (nearest !== undefined) known.set(keyOf({ pair, at }), nearest);
      }
    } finally {
      for (const at of times) pending.delete(keyOf({ pair, at }));
    }
  }

  return async (incomes, pairs) => {
    if (!('fundingHistory' in exchange)) return { incomes: [...incomes], later: [] };
    // Only a futures exchange has `fundingHistory`.
    const venue = exchange as PublicFutures;
    for (const oldest of known.keys()) if (known.size > MAX_PAYMENTS) known.delete(oldest);
    const unknown = incomes.filter(
      (income) => income.type === 'funding' && pairs.has(income.pair) && !known.has(keyOf(income)),
    );
    const times = new Map<string, number[]>();
    for (const income of unknown) {
      if (!pending.has(keyOf(income))) times.set(income.pair, [...(times.get(income.pair) ?? []), income.at]);
    }
    for (const [pair, each] of times) {
      const reading = readPayments(venue, pair, each);
      for (const at of each) pending.set(keyOf({ pair, at }), reading);
    }
    const later = new Set<OwnIncome>();
    const answered = unknown.map(async (income) => {
      try {
        await pending.get(keyOf(income));
      } catch (error) {
        if (income.at < exchange.time() - TERMS_TIMEOUT_MS) throw error;
        later.add(income);
      }
    });
    await Promise.all(answered);
    const ready = incomes.filter((income) => !later.has(income));
    return {
      incomes: ready.map((income) => {
        const paid = income.type === 'funding' ? known.get(keyOf(income)) : undefined;
        if (paid === undefined) return income;
        return { ...income, terms: { rate: exact(Math.round(paid.rate * SCALE)), mark: paid.mark } };
      }),
      later: [...later],
    };
  };
}

function keyOf({ pair, at }: Pick<OwnIncome, 'pair' | 'at'>): string {
  return `${pair} ${at}`;
}
