import { type Market, notional } from '../market/market.ts';
import { exact, type Price, type Quote } from '../money/units.ts';
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
  /** Time of its start or its last move, ms; 0 when an older program started it. */
  startedAt: number;
  /** Own money in use at most: the budget, on futures its margin. */
  invested: Quote;
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

/** Returns the grid profit: the net result of all completed cycles, each by the average cost of its cell. */
export function gridProfit({ cells, realisedBefore }: Grid): Quote {
  // A grid moves only when it is flat, where every cycle is complete.
  return exact(cells.reduce((sum, cell) => sum + cell.matched, realisedBefore));
}

/** Returns the floating PnL of the cells: what they hold at price `mark`, less its cost; entry fees are in it. */
export function gridFloating({ cells }: Grid, market: Market, mark: Price): Quote {
  const floatingOf = (side: Side) => {
    const own = cells.filter((cell) => cell.side === side);
    const asset = exact(own.reduce((sum, cell) => sum + cell.asset, 0));
    const cost = exact(own.reduce((sum, cell) => sum + cell.cost, 0));
    return side * exact(notional(market, mark, asset) - cost);
  };
  return exact(floatingOf(1) + floatingOf(-1));
}
