import { exact, type Quote } from '../money/units.ts';
import { type Holding, setMarginBasis } from './holding.ts';
import type { Wallet } from './wallet.ts';

/**
 * Books what the exchange took after a forced closing (negative), or its insurance fund paid: a fee, or one given back.
 * Isolated: what is still open has so much more or less margin.
 *
 * @see docs/margin.md#liquidation
 */
export function bookClearance(wallet: Wallet, holding: Holding, amount: Quote): void {
  wallet.quote = exact(wallet.quote + amount);
  holding.fees = exact(holding.fees - amount);
  holding.realised = exact(holding.realised + amount);
  if (!holding.isolated || holding.quantity === 0) return;
  holding.margin = exact(holding.margin + amount);
  setMarginBasis(holding);
}
