import type { TradeRecord } from '../backtest/runRecord.ts';
import { type Market, notional } from '../market/market.ts';
import { exact, type Quote } from '../money/units.ts';

/**
 * Returns the total slippage of trades against their first price, in 1e-8 quote units. Favourable slippage is subtracted.
 *
 * @param markets market of every traded pair
 */
export function slippagePaid(trades: Iterable<TradeRecord>, markets: ReadonlyMap<string, Market>): Quote {
  let paid = 0;
  for (const { pair, side, averagePrice, firstPrice, quantity } of trades) {
    const moved = notional(markets.get(pair) as Market, Math.abs(averagePrice - firstPrice), quantity);
    paid += averagePrice > firstPrice === (side === 'buy') ? moved : -moved;
  }
  return exact(paid);
}
