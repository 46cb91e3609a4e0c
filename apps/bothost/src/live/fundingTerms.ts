import type { OwnIncome } from '@heron/engine/live/report.ts';
import { exact, SCALE } from '@heron/engine/money/units.ts';
import type { FundingPayment, PublicExchange, PublicFutures } from '@heron/exchanges/exchange.ts';
import type { LiveGround } from './liveMachine.ts';

/** A payment is written down so far from its time at most. @see accounting.md 3.3 */
const JITTER_MS = 15_000;
/** Payments that are remembered. */
const MOST = 1_000;

/**
 * Tells incomes of funding with the rate and the mark price they were paid by, so that it can be said what of a payment was
 * the bot's. One of which the venue does not tell them is left as it is.
 *
 * @returns rejects with an `ExchangeError`
 */
export function fundingTerms(exchange: PublicExchange): LiveGround['withTerms'] {
  const known = new Map<string, FundingPayment>();

  async function paymentAt(venue: PublicFutures, { pair, at }: OwnIncome): Promise<FundingPayment | null> {
    const key = `${pair} ${at}`;
    const held = known.get(key);
    if (held !== undefined) return held;
    const told = await venue.fundingHistory(pair, at - JITTER_MS + 1, at + JITTER_MS);
    const [nearest] = [...told].sort((a, b) => Math.abs(a.time - at) - Math.abs(b.time - at));
    if (nearest === undefined) return null;
    known.set(key, nearest);
    for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
    return nearest;
  }

  return async (incomes, pairs) => {
    if (!('fundingHistory' in exchange)) return [...incomes];
    // Of a venue of contracts.
    const venue = exchange as PublicFutures;
    return Promise.all(
      incomes.map(async (income) => {
        const paid = income.type === 'funding' && pairs.has(income.pair) ? await paymentAt(venue, income) : null;
        return paid === null
          ? income
          : { ...income, terms: { rate: exact(Math.round(paid.rate * SCALE)), mark: paid.mark } };
      }),
    );
  };
}
