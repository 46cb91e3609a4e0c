import type { Market } from '../market/market.ts';
import { exact, type Price, powerOfTen, type Quote, type Ratio, SCALE } from '../money/units.ts';
import { type Holding, setMarginBasis } from './holding.ts';
import { quotient } from './quotient.ts';
import type { Wallet } from './wallet.ts';

/**
 * What a position receives at a funding time; negative when it pays: `−d·Q·M·ρ`.
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
  // Rounded before the sign, so that equal longs and shorts cancel to nothing (docs/invariants.md#futures, I-17).
  const paid = quotient(holding.quantity, mark, rate, powerOfTen(market.assetDecimals), SCALE, 'nearest');
  return exact(-holding.side * paid);
}

/**
 * Books what the exchange paid (positive) or took. Isolated: it moves the margin set apart too.
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

/** Books the funding of one funding time; nothing when flat. @returns what was received @see docs/accounting.md#funding */
export function bookFunding(wallet: Wallet, holding: Holding, market: Market, mark: Price, rate: Ratio): Quote {
  if (holding.quantity === 0) return 0;
  const amount = fundingAmount(market, holding, mark, rate);
  bookFundingAmount(wallet, holding, amount);
  return amount;
}
