import type { Price, Quote } from '../money/units.ts';
import type { Cell } from './cell.ts';
import type { Side } from './gridOrder.ts';

/** A grid at work; plain data. @see docs/strategies.md#grid */
export interface Grid {
  readonly kind: 'grid';
  /** Side of all cells; 0 for a neutral grid: long cells below the start price, short ones above. */
  side: Side | 0;
  /** Order value that all cells together may use. */
  budget: Quote;
  /** p₀ … p_N */
  levels: Price[];
  cells: Cell[];
  /** The order that the grid began with: still to be made, at work, or none. */
  base: 'wanted' | 'working' | 'none';
  /** Newest price known; with a limited number of orders those nearest to it are on the book. */
  price: Price;
  /** A closed candle above (below) it changes a cell; 0 for none. */
  wakesAbove: Price;
  wakesBelow: Price;
  /** How many times it was laid. */
  laid: number;
  /** Cycles and net results of grids laid before, cell by cell average cost. */
  cyclesBefore: number;
  realisedBefore: Quote;
}

/** Finished cycles of all cells. */
export function gridCycles({ cells, cyclesBefore }: Grid): number {
  return cells.reduce((sum, cell) => sum + cell.cycles, cyclesBefore);
}

/** Net result of the cells, each by its own average cost. */
export function gridRealised({ cells, realisedBefore }: Grid): Quote {
  return cells.reduce((sum, cell) => sum + cell.realised, realisedBefore);
}
