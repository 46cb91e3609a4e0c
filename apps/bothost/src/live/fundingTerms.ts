import type { OwnIncome } from '@heron/engine/live/report.ts';
import { exact, SCALE } from '@heron/engine/money/units.ts';
import type { FundingPayment, PublicExchange, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { LiveGround } from './liveMachine.ts';

/** A payment is written down so far from its time at most. @see accounting.md 3.3 */
const JITTER_MS = 15_000;
/** Payments that are remembered. */
const MOST = 10_000;

/**
 * Tells incomes of funding with the rate and the mark price they were paid by, so that it can be said what of a payment was
 * the bot's. One of which the venue does not tell them is left as it is.
 *
 * @returns rejects with an `ExchangeError`
 */
export function fundingTerms(exchange: PublicExchange): LiveGround['withTerms'] {
  const known = new Map<string, FundingPayment>();

  /** One question a pair, however many payments of it there are. */
  async function learn(venue: PublicFutures, pair: string, times: readonly number[]): Promise<void> {
    const told = await venue.fundingHistory(pair, Math.min(...times) - JITTER_MS + 1, Math.max(...times) + JITTER_MS);
    for (const at of times) {
      const near = told.filter(({ time }) => Math.abs(time - at) < JITTER_MS);
      const [nearest] = near.sort((a, b) => Math.abs(a.time - at) - Math.abs(b.time - at));
      if (nearest !== undefined) known.set(keyOf({ pair, at }), nearest);
    }
  }

  return async (incomes, pairs) => {
    if (!('fundingHistory' in exchange)) return [...incomes];
    // Of a venue of contracts.
    const venue = exchange as PublicFutures;
    for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
    const unknown = new Map<string, number[]>();
    for (const income of incomes) {
      if (income.type !== 'funding' || !pairs.has(income.pair) || known.has(keyOf(income))) continue;
      unknown.set(income.pair, [...(unknown.get(income.pair) ?? []), income.at]);
    }
    await Promise.all([...unknown].map(([pair, times]) => learn(venue, pair, times)));
    return incomes.map((income) => {
      const paid = income.type === 'funding' ? known.get(keyOf(income)) : undefined;
      if (paid === undefined) return income;
      return { ...income, terms: { rate: exact(Math.round(paid.rate * SCALE)), mark: paid.mark } };
    });
  };
}

function keyOf({ pair, at }: Pick<OwnIncome, 'pair' | 'at'>): string {
  return `${pair} ${at}`;
}
