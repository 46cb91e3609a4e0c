import type { Quote } from '../money/units.ts';

/**
 * Returns the initial margin of a position with the order value `value` at an integer leverage, rounded up.
 *
 * @see docs/accounting.md#futures-positions, docs/margin.md#margin-of-positions-and-orders
 */
export function marginOf(value: Quote, leverage: number): Quote {
  const over = value % leverage;
  return over === 0 ? value / leverage : (value - over) / leverage + 1;
}
