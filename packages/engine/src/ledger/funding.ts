import { type Market, notional } from '../market/market.ts';
import { exact, mulDiv, type Price, type Quote, type Ratio, SCALE } from '../money/units.ts';
import type { Holding } from './holding.ts';
import type { Wallet } from './wallet.ts';
export function bookFunding(wallet: Wallet, holding: Holding, market: Market, mark: Price, rate: Ratio): Quote {
  const amount = exact(-holding.side * mulDiv(notional(market, mark, holding.quantity), rate, SCALE));
  wallet.quote = exact(wallet.quote + amount);
  holding.funding = exact(holding.funding + amount);
  holding.realised = exact(holding.realised + amount);
  if (holding.isolated) holding.margin = exact(holding.margin + amount);
  return amount;
}
