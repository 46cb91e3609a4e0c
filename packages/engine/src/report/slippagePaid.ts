import type { TradeRecord } from '../backtest/runRecord.ts';
import { type Market, notional } from '../market/market.ts';
import { exact, type Quote } from '../money/units.ts';

/**
 * What trades paid beyond their first price, in quote units; what they gained on it counts against.
 *
 * @param markets the market of every pair traded
 */
export function slippagePaid(trades: Iterable<TradeRecord>, markets: ReadonlyMap<string, Market>): Quote {
  let paid = 0;
  for (const { pair, side, averagePrice, firstPrice, quantity } of trades) {
    const moved = notional(markets.get(pair) as Market, Math.abs(averagePrice - firstPrice), quantity);
    paid += averagePrice > firstPrice === (side === 'buy') ? moved : -moved;
  }
  return exact(paid);
}
