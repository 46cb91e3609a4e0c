import { type Bracket, fallbackBrackets } from '../ledger/brackets.ts';
import type { PairState } from './botState.ts';

/**
 * Margin rules of a pair: the exchange's own, or what stands for them while they are not known.
 *
 * @see docs/margin.md#leverage-brackets
 */
export function bracketsOf({ brackets, market }: Pick<PairState, 'brackets' | 'market'>): readonly Bracket[] {
  return brackets.length > 0 ? brackets : fallbackBrackets(market?.base ?? '');
}
