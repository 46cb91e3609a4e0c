import type { BotState, PairState } from '../bot/state.ts';
import { notional } from '../market/market.ts';
import { exact, type Price, type Quote } from '../money/units.ts';

/** Last known price of a pair; 0 before the first quote. */
export function markOf(pair: PairState): Price {
  return pair.quote === null ? 0 : pair.quote.last || pair.quote.bid;
}

/** Equity: all quote plus every holding at its mark. @see accounting.md 2.3 */
export function equityOf(state: BotState): Quote {
  let equity = state.wallet.quote;
  for (const pair of state.pairs) {
    if (pair.holding.quantity > 0 && pair.market !== null) {
      equity = exact(equity + notional(pair.market, markOf(pair), pair.holding.quantity));
    }
  }
  return equity;
}
