import type { Quote } from '../money/units.ts';

/**
 * Margin that a position of `value` needs at a whole leverage, rounded up.
 *
 * @see docs/accounting.md#futures-positions, docs/margin.md#margin-of-positions-and-orders
 */
export function marginOf(value: Quote, leverage: number): Quote {
  const over = value % leverage;
  return over === 0 ? value / leverage : (value - over) / leverage + 1;
}
