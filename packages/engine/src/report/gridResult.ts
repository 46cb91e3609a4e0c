import { fromUnits } from '../money/units.ts';
import type { PairState } from '../state/botState.ts';
import { gridFiguresOf, gridYieldPercent, sumGridFigures } from '../state/gridFigures.ts';

/** Result of the grids of a run, in the quote currency. @see docs/accounting.md#grid-figures */
export interface GridResult {
  /** Grid profit: net result of completed cycles. */
  profit: number;
  /** Value of what the cells hold less its cost. */
  floating: number;
  /** The remainder of realised and unrealised PnL: cycles filled in part, sales outside of the grid, funding. */
  other: number;
  cycles: number;
  /** Grid profit over own money in use, for 365 days, in percent; null when the grids ran less than a day. */
  yearlyPercent: number | null;
}

/**
 * Returns the result of the grids of some pairs; null when they had none.
 *
 * @param at end of the run, ms
 */
export function gridResultOf(pairs: readonly PairState[], at: number): GridResult | null {
  const figures = sumGridFigures(pairs.flatMap((pair) => gridFiguresOf(pair, at) ?? []));
  if (figures === null) return null;
  return {
    profit: fromUnits(figures.profit),
    floating: fromUnits(figures.floating),
    other: fromUnits(figures.other),
    cycles: figures.cycles,
    yearlyPercent: gridYieldPercent(figures),
  };
}
