import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import { exact, mulDiv, type Price, type Quantity, type Quote } from '../money/units.ts';
import type { GridFill, Side } from './gridOrder.ts';

/** @see docs/strategies.md#grid */
export const CELL_STATES = ['cash', 'buying', 'asset', 'selling', 'waiting'] as const;

/**
 * A cell lives between two neighbouring prices. A long one buys at the low and sells at the high price, a short one sells
 * at the high and buys back at the low; its words are those of the long one.
 *
 * `cash` has its money, `buying` an entry order as well, `asset` has its asset, `selling` an exit order as well, `waiting`
 * waits until the price has left it on the side of its exit.
 *
 * @see docs/strategies.md#grid
 */
export interface Cell {
  side: Side;
  low: Price;
  high: Price;
  state: (typeof CELL_STATES)[number];
  /** Entered in one cycle. */
  quantity: Quantity;
  /** Entered in this cycle so far, fees not taken off. */
  entered: Quantity;
  /** The order that the grid began with enters for it. */
  byBase: boolean;
  /** What it holds; of a short what it owes. Crumbs below the step stay from cycle to cycle. */
  asset: Quantity;
  /** What the asset cost, fees in quote included; of a short what it brought, fees taken off. */
  cost: Quote;
  cycles: number;
  /** Net result by the average cost of the cell, fees included. */
  realised: Quote;
}

/** Price of a cell's entry order. */
export function entryOf(cell: Cell): Price {
  return cell.side === 1 ? cell.low : cell.high;
}

/** Price of a cell's exit order. */
export function exitOf(cell: Cell): Price {
  return cell.side === 1 ? cell.high : cell.low;
}

/** What the exit order of a cell may offer; 0 when it is too little to trade. */
export function sellable(market: Market, cell: Cell): Quantity {
  const quantity = floorStep(market, cell.asset);
  return meetsMinimums(market, exitOf(cell), quantity) ? quantity : 0;
}

/** What a cell's entry order still has to bring; 0 when it is too little to trade. */
export function wanting(market: Market, cell: Cell): Quantity {
  const quantity = exact(cell.quantity - cell.entered);
  return meetsMinimums(market, entryOf(cell), quantity) ? quantity : 0;
}

/** True while a cell has something of the position beyond crumbs. */
export function holds(market: Market, cell: Cell): boolean {
  return cell.entered > 0 || cell.asset >= market.step;
}

/** Books an entry fill into a cell and lets it go on to `asset` when it has all. */
export function enterCell(cell: Cell, fill: GridFill): void {
  cell.entered = exact(cell.entered + fill.quantity);
  cell.asset = exact(cell.asset + fill.quantity - fill.feeBase);
  cell.cost = exact(cell.cost + fill.value + cell.side * fill.feeQuote);
  if (cell.entered >= cell.quantity && (cell.state === 'cash' || cell.state === 'buying')) cell.state = 'asset';
}

/** Books an exit fill into a cell by its average cost. @returns the net result of the fill */
export function exitCell(market: Market, cell: Cell, fill: GridFill): Quote {
  const out = fill.quantity + fill.feeBase;
  const costOut = out >= cell.asset ? cell.cost : mulDiv(cell.cost, out, cell.asset);
  cell.asset = exact(Math.max(0, cell.asset - out));
  cell.cost = exact(cell.cost - costOut);
  const realised = exact(cell.side * (fill.value - costOut) - fill.feeQuote);
  cell.realised = exact(cell.realised + realised);
  if (floorStep(market, cell.asset) === 0) endCycle(market, cell);
  return realised;
}

/** A cycle is over: the cell has its money again. What is left too small to trade counts as entered for the next. */
function endCycle(market: Market, cell: Cell): void {
  cell.cycles += 1;
  cell.state = 'cash';
  cell.entered = floorStep(market, cell.asset);
}

/**
 * The order of a cell has ended before it was filled: it will be placed again. When what is left is too little for an
 * order, the cell goes on with what it has.
 */
export function orderEnded(market: Market, cell: Cell): void {
  if (cell.state === 'buying') {
    const continues = cell.entered > 0 && wanting(market, cell) === 0 && sellable(market, cell) > 0;
    cell.state = continues ? 'asset' : 'cash';
  } else if (cell.state === 'selling') {
    cell.state = 'asset';
    if (sellable(market, cell) === 0) endCycle(market, cell);
  }
}
