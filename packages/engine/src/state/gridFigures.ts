import { type Grid, gridCycles, gridFloating, gridProfit } from '../grid/grid.ts';
import { unrealised } from '../ledger/holding.ts';
import { exact, fromUnits, type Quote } from '../money/units.ts';
import type { PairState } from './botState.ts';

const DAY = 86_400_000;

/** Minimum running time of a grid whose profit is projected to a year. */
const MIN_DAYS = 1;

/** Result of the grids of a pair since the start of its account. @see docs/accounting.md#grid-figures */
export interface GridFigures {
  /** Grid profit: net result of completed cycles. */
  readonly profit: Quote;
  /** Value of what the cells hold less its cost; without a grid the unrealised PnL of the pair. */
  readonly floating: Quote;
  /** The remainder of the total: cycles that are filled in part, sales outside of the grid, funding. */
  readonly other: Quote;
  /** Realised and unrealised PnL of the pair. */
  readonly total: Quote;
  readonly cycles: number;
  /** Running time; null while unknown. */
  readonly days: number | null;
  /** Σ own money in use · days, in whole quote units. */
  readonly moneyDays: number;
}

/** Starts to count the running time of a grid, at its start or move. */
export function countGridFrom(grid: Grid, at: number, invested: Quote): void {
  grid.startedAt = at;
  grid.invested = invested;
}

/** Adds the running time of an active grid to the past of its pair. The grid ends or moves then. */
export function countGridTime({ pastGrids: past }: PairState, { startedAt, invested }: Grid, at: number): void {
  if (startedAt === 0) past.days = null;
  const days = startedAt === 0 ? 0 : Math.max(0, at - startedAt) / DAY;
  if (past.days !== null) past.days += days;
  past.moneyDays += days * fromUnits(invested);
}

/** Removes the order plan of a pair, and keeps the result of a grid. */
export function removePlan(pair: PairState, at: number): void {
  const { orderPlan, pastGrids } = pair;
  pair.orderPlan = null;
  if (orderPlan?.kind !== 'grid') return;
  pastGrids.cycles += gridCycles(orderPlan);
  pastGrids.profit = exact(pastGrids.profit + gridProfit(orderPlan));
  countGridTime(pair, orderPlan, at);
}

/**
 * Returns the result of the grids of a pair; null when it had none. The same figures serve backtests, paper and live trading.
 *
 * @param at present time, ms
 * @see docs/accounting.md#grid-figures
 */
export function gridFiguresOf(pair: PairState, at: number): GridFigures | null {
  const { market, orderPlan, pastGrids, holding, mark } = pair;
  const grid = orderPlan?.kind === 'grid' ? orderPlan : null;
  if (market === null || (grid === null && pastGrids.days === 0)) return null;
  const open = unrealised(market, holding, mark);
  const total = exact(holding.realised + open);
  const profit = exact(pastGrids.profit + (grid === null ? 0 : gridProfit(grid)));
  const floating = grid === null ? open : gridFloating(grid, market, mark);
  const days = grid === null || grid.startedAt === 0 ? 0 : Math.max(0, at - grid.startedAt) / DAY;
  const invested = grid?.invested ?? 0;
  return {
    profit,
    floating,
    other: exact(total - profit - floating),
    total,
    cycles: pastGrids.cycles + (grid === null ? 0 : gridCycles(grid)),
    days: grid?.startedAt === 0 || pastGrids.days === null ? null : pastGrids.days + days,
    moneyDays: pastGrids.moneyDays + days * fromUnits(invested),
  };
}

/** Returns the sum of the figures of several pairs; their longest running time counts. */
export function sumGridFigures(all: readonly GridFigures[]): GridFigures | null {
  return all.reduce<GridFigures | null>((sum, one) => (sum === null ? one : added(sum, one)), null);
}

function added(a: GridFigures, b: GridFigures): GridFigures {
  return {
    profit: exact(a.profit + b.profit),
    floating: exact(a.floating + b.floating),
    other: exact(a.other + b.other),
    total: exact(a.total + b.total),
    cycles: a.cycles + b.cycles,
    days: a.days === null || b.days === null ? null : Math.max(a.days, b.days),
    moneyDays: a.moneyDays + b.moneyDays,
  };
}

/**
 * Returns the annualised grid yield in percent: grid profit over own money in use, for 365 days, not compounded.
 *
 * @returns null in the first 24 hours, and while the running time is unknown
 * @see docs/accounting.md#grid-figures
 */
export function gridYieldPercent({ profit, days, moneyDays }: GridFigures): number | null {
  if (days === null || days < MIN_DAYS || moneyDays === 0) return null;
  return (100 * 365 * fromUnits(profit)) / moneyDays;
}
