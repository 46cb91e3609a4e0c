import type { Quote } from '../money/units.ts';

/** Grids of a pair that have ended or moved; plain data. */
export interface PastGrids {
  /** Completed cycles and grid profit of ended grids. A moved grid keeps its own. */
  cycles: number;
  profit: Quote;
  /** Running time; null once the start of a grid is unknown. */
  days: number | null;
  /** Σ own money in use · days, in whole quote units. */
  moneyDays: number;
}

/** Returns the past grids of a pair that never had one. */
export function noPastGrids(): PastGrids {
  return { cycles: 0, profit: 0, days: 0, moneyDays: 0 };
}
