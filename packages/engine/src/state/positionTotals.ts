import { mulDivNearest, type Price, powerOfTen, type Quantity, type Quote } from '../money/units.ts';
import type { Reason } from './parentOrder.ts';

/**
 * Sums over the life of a position, from which its row in the table of closed positions follows. No decision reads them.
 *
 * @see docs/accounting.md#closed-positions
 */
export interface PositionTotals {
  /** Quantity of the entries less that of the exits; without fees in the asset, and without dust of earlier positions. */
  size: Quantity;
  /** Largest size so far. */
  maxSize: Quantity;
  /** Quantity of the exits, and its value; both are halved when they would leave the exact range. */
  exitQuantity: Quantity;
  exitValue: Quote;
  /** Funding received less paid. */
  funding: Quote;
  /** Reason of the newest exit; null before the first. */
  exitReason: Reason | null;
}

export function noTotals(): PositionTotals {
  return { size: 0, maxSize: 0, exitQuantity: 0, exitValue: 0, funding: 0, exitReason: null };
}

/** Maximum of each sum of exits: a position that is never flat, such as that of a grid, would leave the exact range. */
const COUNTED = 2 ** 52;

/** Adds an entry. */
export function addEntry(totals: PositionTotals, quantity: Quantity): void {
  totals.size += quantity;
  totals.maxSize = Math.max(totals.maxSize, totals.size);
}

/** Adds an exit. @param value quantity at its price, in quote */
export function addExit(totals: PositionTotals, quantity: Quantity, value: Quote, reason: Reason): void {
  if (totals.exitValue + value > COUNTED || totals.exitQuantity + quantity > COUNTED) {
    // Only the ratio of the sums is used; halving both keeps it to fifteen digits.
    totals.exitValue = Math.floor(totals.exitValue / 2);
    totals.exitQuantity = Math.floor(totals.exitQuantity / 2);
  }
  totals.size = Math.max(0, totals.size - quantity);
  totals.exitValue += value;
  totals.exitQuantity += quantity;
  totals.exitReason = reason;
}

/** Removes an exit that did not happen: reconciliation gives back a quantity that it had taken off too early. */
export function removeExit(totals: PositionTotals, quantity: Quantity, value: Quote): void {
  totals.size += quantity;
  totals.exitQuantity = Math.max(0, totals.exitQuantity - quantity);
  totals.exitValue = totals.exitQuantity === 0 ? 0 : Math.max(0, totals.exitValue - value);
}

/** Returns the average price of the exits; null without one. */
export function exitPriceOf({ exitQuantity, exitValue }: PositionTotals, assetDecimals: number): Price | null {
  return exitQuantity === 0 ? null : mulDivNearest(exitValue, powerOfTen(assetDecimals), exitQuantity);
}
