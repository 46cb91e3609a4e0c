import { unrealised } from '../ledger/holding.ts';
import { exact, type Quote } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';

/**
 * Net result of everything that some pairs have sold, and on futures of fees and funding.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function realisedOf(pairs: readonly PairState[]): Quote {
  return exact(pairs.reduce((sum, { holding }) => sum + holding.realised, 0));
}

/**
 * What some pairs would add if all that they hold were sold at its last price without a fee.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function unrealisedOf(pairs: readonly PairState[]): Quote {
  return exact(
    pairs.reduce((sum, { market, holding, mark }) => sum + (market ? unrealised(market, holding, mark) : 0), 0),
  );
}
