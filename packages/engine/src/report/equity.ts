import type { BotState } from '../bot/state.ts';
import { notional } from '../market/market.ts';
import { exact, type Quote } from '../money/units.ts';

/** Equity: all quote plus every holding at its last known price. @see accounting.md 2.3 */
export function equityOf(state: BotState): Quote {
  let equity = state.wallet.quote;
  for (const pair of state.pairs) {
    if (pair.holding.quantity > 0 && pair.market !== null) {
      equity = exact(equity + notional(pair.market, pair.mark, pair.holding.quantity));
    }
  }
  return equity;
}
