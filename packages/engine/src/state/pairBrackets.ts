import { type Bracket, fallbackBrackets } from '../ledger/brackets.ts';
import type { PairState } from './botState.ts';

/**
 * Returns the leverage brackets of a pair, or fallback brackets while they are unknown.
 *
 * @see docs/margin.md#leverage-brackets
 */
export function bracketsOf({ brackets, market }: Pick<PairState, 'brackets' | 'market'>): readonly Bracket[] {
  return brackets.length > 0 ? brackets : fallbackBrackets(market?.base ?? '');
}
