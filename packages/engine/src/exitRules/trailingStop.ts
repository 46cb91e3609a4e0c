import type { Price } from '../money/units.ts';
import { type EntryFacts, type ExitRule, type PositionFacts, priceAgainst } from './exitRule.ts';

/**
 * Trailing stop-loss: `best·(1 − direction·profit/100)`, where `best` is the best reference price since entry and at least the
 * entry price. It is a price distance, as that of the stop-loss.
 *
 * @see docs/exits.md#trailing-stop-loss
 */
export const trailingStop: ExitRule = {
  table: 'trailingStop',
  option: 'trailing_stop',
  kind: 'trail',
  activationOption: null,
  inFavour: false,
  largestFirst: false,
  onPlans: false,
  priceOf: (entry, position, { trigger }) => priceAgainst(bestPrice(entry, position), position.direction, trigger),
  followed: bestPrice,
};

function bestPrice({ entryPrice }: EntryFacts, { direction, peak }: PositionFacts): Price {
  if (peak <= 0) return entryPrice;
  return direction === 1 ? Math.max(peak, entryPrice) : Math.min(peak, entryPrice);
}
