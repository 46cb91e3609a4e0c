import type { Side } from '../grid/gridOrder.ts';
import type { Price, Quote } from '../money/units.ts';
import type { SafetyOrder } from './safetyOrders.ts';

/** How far a cycle is. */
export const DCA_PHASES = ['base', 'averaging', 'closing'] as const;

/** One cycle of averaging; plain data. @see docs/strategies.md#dca-averaging */
export interface Dca {
  readonly kind: 'dca';
  side: Side;
  /** The base order works; all safety orders are on the book; the position is being closed. */
  phase: (typeof DCA_PHASES)[number];
  /** Order value of the whole ladder. */
  budget: Quote;
  /** Order values of base and safety orders. */
  sizes: Quote[];
  /** P₀, average price of the base fill; 0 until it has ended. */
  first: Price;
  safeties: SafetyOrder[];
  /** Trailing take-profit: the target was reached, and the best reference price since. */
  armed: boolean;
  best: Price;
}
