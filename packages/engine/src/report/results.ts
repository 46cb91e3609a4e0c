import { unrealised } from '../ledger/holding.ts';
import { exact, type Quote } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';

/**
 * Returns the realised PnL of some pairs; on futures with all fees and funding.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function realisedOf(pairs: readonly PairState[]): Quote {
  return exact(pairs.reduce((sum, { holding }) => sum + holding.realised, 0));
}

/**
 * Returns the unrealised PnL of some pairs, at their last price without a fee.
 *
 * @see docs/accounting.md#figures-of-a-bot
 */
export function unrealisedOf(pairs: readonly PairState[]): Quote {
  return exact(
    pairs.reduce((sum, { market, holding, mark }) => sum + (market ? unrealised(market, holding, mark) : 0), 0),
  );
}
