import type { Item } from '@heron/engine/options/item.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { emptySetup, type SetupDraft } from './setupDraft.ts';

const FEES = { takerFee: 'taker', makerFee: 'maker' } as const;

/**
 * Returns the default of an option on a venue. It differs from the option table only for fees, which are those of an account
 * without discounts.
 *
 * @see docs/options.md#exchange
 */
export function standardOption(item: Item, venue: string | undefined): unknown {
  const fees = exchangeOfVenue(venue ?? '')?.fees;
  return fees !== undefined && item.name in FEES ? fees[FEES[item.name as keyof typeof FEES]] : item.value;
}

/** Returns the fees of a venue in percent, as text by option. */
function standardFees(venue: string | undefined): Record<string, string> {
  const fees = exchangeOfVenue(venue ?? '')?.fees;
  return fees === undefined ? {} : { takerFee: String(fees.taker), makerFee: String(fees.maker) };
}

/** Returns a draft with the defaults on a venue. */
export function standardSetup(venue: string | undefined): SetupDraft {
  const setup = emptySetup();
  return { ...setup, texts: { ...setup.texts, ...standardFees(venue) } };
}

/** Returns the options as text after a change of the venue. Fees that still are those of the old venue become those of the new one. */
export function withVenue(texts: SetupDraft['texts'], venue: string): SetupDraft['texts'] {
  const old = standardFees(texts.exchange);
  const untouched = Object.entries(standardFees(venue)).filter(([name]) => Number(texts[name]) === Number(old[name]));
  return { ...texts, ...Object.fromEntries(untouched), exchange: venue };
}
