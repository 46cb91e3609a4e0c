import { exact, type Quote } from '../money/units.ts';
import { type Holding, setMarginBasis } from './holding.ts';
import type { Wallet } from './wallet.ts';

/**
 * Books a payment after a forced closing: a fee of the exchange (negative), or a refund of its insurance fund (positive).
 * The margin of a remaining isolated position changes by the same amount.
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
