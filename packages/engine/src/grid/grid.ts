import type { Price, Quote } from '../money/units.ts';
import type { Cell } from './cell.ts';
import type { GridRules } from './gridRules.ts';
import type { Side } from './planOrder.ts';

/** An active grid; plain data. @see docs/strategies.md#grid */
export interface Grid {
  readonly kind: 'grid';
  /** Side of all cells; 0 for a neutral grid: long cells below the start price, short ones above. */
  side: Side | 0;
  /** Rules by which it was planned. */
  readonly rules: GridRules;
  /** Order value that all cells together may use. */
  budget: Quote;
  /** p₀ … p_N */
  levels: Price[];
  cells: Cell[];
  /** State of the base order: wanted, working, or none. */
  base: 'wanted' | 'working' | 'none';
  /** Newest known price; with a limit on open orders those nearest to it are placed. */
  price: Price;
  /** A closed candle above (below) it changes a cell; 0 for none. */
  activationPriceAbove: Price;
  activationPriceBelow: Price;
  /** Number of times that the grid was started or moved. */
  laid: number;
  /** Cycles and net results of the previous grids, by the average cost of each cell. */
  cyclesBefore: number;
  realisedBefore: Quote;
}

/**
 * Returns the rules by which an active grid moves. Of changed parameters it follows only `recentre`: its open orders belong to
 * its cells.
 *
 * @see docs/grids-and-dca.md#grid
 */
export function activeRules({ rules }: Grid, present: GridRules): GridRules {
  return { ...rules, recentre: present.recentre };
}

/** Returns the finished cycles of all cells. */
export function gridCycles({ cells, cyclesBefore }: Grid): number {
  return cells.reduce((sum, cell) => sum + cell.cycles, cyclesBefore);
}

/** Returns the net result of the cells, each by its own average cost. */
export function gridRealised({ cells, realisedBefore }: Grid): Quote {
  return cells.reduce((sum, cell) => sum + cell.realised, realisedBefore);
}
