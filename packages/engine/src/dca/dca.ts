import type { Side } from '../grid/planOrder.ts';
import type { Price, Quote } from '../money/units.ts';
import type { SafetyOrder } from './safetyOrders.ts';

/** Phases of a DCA deal. */
export const DCA_PHASES = ['base', 'averaging', 'closing'] as const;

/** One DCA deal; plain data. @see docs/strategies.md#dca-averaging */
export interface Dca {
  readonly kind: 'dca';
  side: Side;
  /** The base order works; all safety orders are open; the position is being exited. */
  phase: (typeof DCA_PHASES)[number];
  /** Order value of the whole deal. */
  budget: Quote;
  /** Order values of base and safety orders. */
  sizes: Quote[];
  /** Distances of the safety orders from the base order in percent, as at the start of the deal. */
  readonly distances: readonly number[];
  /** P₀, average price of the base order; 0 until it has ended. */
  first: Price;
  safeties: SafetyOrder[];
  /** Trailing take-profit: it is activated, and the best reference price since. Of a closing deal: it has triggered. */
  armed: boolean;
  best: Price;
}
