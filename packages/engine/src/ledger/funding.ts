import type { Market } from '../market/market.ts';
import { exact, type Price, powerOfTen, type Quote, type Ratio, SCALE } from '../money/units.ts';
import { type Holding, setMarginBasis } from './holding.ts';
import { quotientNearest } from './quotient.ts';
import type { Wallet } from './wallet.ts';

/**
 * Returns the funding that a position receives at a funding time: `−d·Q·M·ρ`, negative when it pays.
 *
 * @param mark price of the position at that time; @param rate may be negative
 * @see docs/accounting.md#funding
 */
export function fundingAmount(
  market: Market,
  holding: Pick<Holding, 'side' | 'quantity'>,
  mark: Price,
  rate: Ratio,
): Quote {
  // Rounding comes before the sign, so that equal longs and shorts cancel out exactly (docs/invariants.md#futures, I-17).
  const paid = quotientNearest(holding.quantity, mark, rate, powerOfTen(market.assetDecimals), SCALE);
  return exact(-holding.side * paid);
}

/**
 * Books funding, positive when the exchange paid it. It also changes the allocated margin of an isolated position.
 *
 * @see docs/accounting.md#funding
 */
export function bookFundingAmount(wallet: Wallet, holding: Holding, amount: Quote): void {
  wallet.quote = exact(wallet.quote + amount);
  holding.funding = exact(holding.funding + amount);
  holding.realised = exact(holding.realised + amount);
  if (!holding.isolated || holding.quantity === 0) return;
  holding.margin = exact(holding.margin + amount);
  setMarginBasis(holding);
}

/** Books the funding of one funding time; 0 when flat. @returns the received amount @see docs/accounting.md#funding */
export function bookFunding(wallet: Wallet, holding: Holding, market: Market, mark: Price, rate: Ratio): Quote {
  if (holding.quantity === 0) return 0;
  const amount = fundingAmount(market, holding, mark, rate);
  bookFundingAmount(wallet, holding, amount);
  return amount;
}
