import { notional } from '../market/market.ts';
import { exact, type Quote } from '../money/units.ts';
import type { Bot } from './bot.ts';

/**
 * Equity: all quote plus every holding at its last known price, on futures every unrealised result.
 *
 * @see docs/accounting.md#unrealised-pnl-and-equity
 */
export function equityOf({ state, rules }: Bot): Quote {
  let equity = state.wallet.quote;
  for (const { holding, market, mark } of state.pairs) {
    if (holding.quantity === 0 || market === null) continue;
    const value = notional(market, mark, holding.quantity);
    equity = exact(equity + (rules.future ? holding.side * (value - holding.cost) : value));
  }
  return equity;
}
