import type { OwnIncome } from '@heron/engine/live/report.ts';
import { exact, SCALE } from '@heron/engine/money/units.ts';
import type { FundingPayment, PublicExchange, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { LiveDeps } from './liveMachine.ts';

/** A payment is written down so far from its time at most. @see docs/accounting.md#funding */
const JITTER_MS = 15_000;
/** Payments that are remembered. */
const MOST = 10_000;
/** A payment may be told so much later: incomes, and the fills that say whose they were, are told again for ten minutes. */
const TERMS_TIMEOUT_MS = 480_000;

/**
 * Tells incomes of funding with the rate and the mark price they were paid by, so that it can be said what of a payment was
 * the bot's. One of which the venue does not tell them is left as it is; one that it could not be asked for now is to be told
 * later.
 *
 * @returns rejects with an `ExchangeError` when one cannot be told later
 */
export function createFundingTerms(exchange: PublicExchange): LiveDeps['attachFundingTerms'] {
  const known = new Map<string, FundingPayment>();
  /** Bots are paid at the same moment: one question is for all of them. */
  const pending = new Map<string, Promise<void>>();

  /** One question a pair, however many payments of it there are. */
  async function learn(venue: PublicFutures, pair: string, times: readonly number[]): Promise<void> {
    try {
      const told = await venue.fundingHistory(pair, Math.min(...times) - JITTER_MS + 1, Math.max(...times) + JITTER_MS);
      for (const at of times) {
        const near = told.filter(({ time }) => Math.abs(time - at) < JITTER_MS);
        const [nearest] = near.sort((a, b) => Math.abs(a.time - at) - Math.abs(b.time - at));
        if (nearest !== undefined) known.set(keyOf({ pair, at }), nearest);
      }
    } finally {
      for (const at of times) pending.delete(keyOf({ pair, at }));
    }
  }

  return async (incomes, pairs) => {
    if (!('fundingHistory' in exchange)) return { incomes: [...incomes], later: [] };
    // Of a venue of contracts.
    const venue = exchange as PublicFutures;
    for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
    const unknown = incomes.filter(
      (income) => income.type === 'funding' && pairs.has(income.pair) && !known.has(keyOf(income)),
    );
    const times = new Map<string, number[]>();
    for (const income of unknown) {
      if (!pending.has(keyOf(income))) times.set(income.pair, [...(times.get(income.pair) ?? []), income.at]);
    }
    for (const [pair, each] of times) {
      const question = learn(venue, pair, each);
      for (const at of each) pending.set(keyOf({ pair, at }), question);
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
    const told = incomes.filter((income) => !later.has(income));
    return {
      incomes: told.map((income) => {
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
