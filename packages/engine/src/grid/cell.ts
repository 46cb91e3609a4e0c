import { floorStep, type Market, meetsMinimums } from '../market/market.ts';
import { exact, mulDiv, type Price, type Quantity, type Quote } from '../money/units.ts';
import type { GridFill, Side } from './planOrder.ts';

/** @see docs/strategies.md#grid */
export const CELL_STATES = ['cash', 'buying', 'asset', 'selling', 'waiting'] as const;

/**
 * A cell trades between two neighbouring prices. A long one buys at the low and sells at the high price, a short one sells at the
 * high and buys back at the low; the states are named for a long.
 *
 * `cash`: it has its budget; `buying`: it has an entry order; `asset`: it holds its asset; `selling`: it has an exit order;
 * `waiting`: it waits until the price has left it on the side of its exit.
 *
 * @see docs/strategies.md#grid
 */
export interface Cell {
  side: Side;
  low: Price;
  high: Price;
  state: (typeof CELL_STATES)[number];
  /** Quantity of one cycle. */
  quantity: Quantity;
  /** Quantity entered in this cycle so far, before fees. */
  entered: Quantity;
  /** The base order of the grid enters for it. */
  byBase: boolean;
  /** Quantity that it holds, or owes as a short. Dust below the step stays from cycle to cycle. */
  asset: Quantity;
  /** Cost of the asset including quote fees; for a short the proceeds after fees. */
  cost: Quote;
  cycles: number;
  /** Net result by the average cost of the cell, fees included. */
  realised: Quote;
  /** Part of `realised` that belongs to completed cycles. */
  matched: Quote;
}

/** Returns the price of a cell's entry order. */
export function entryOf(cell: Cell): Price {
  return cell.side === 1 ? cell.low : cell.high;
}

/** Returns the price of a cell's exit order. */
export function exitOf(cell: Cell): Price {
  return cell.side === 1 ? cell.high : cell.low;
}

/** Returns the quantity of a cell's exit order; 0 when it is too small to trade. */
export function sellable(market: Market, cell: Cell): Quantity {
  const quantity = floorStep(market, cell.asset);
  return meetsMinimums(market, exitOf(cell), quantity) ? quantity : 0;
}

/** Returns the remaining quantity of a cell's entry order; 0 when it is too small to trade. */
export function wanting(market: Market, cell: Cell): Quantity {
  const quantity = exact(cell.quantity - cell.entered);
  return meetsMinimums(market, entryOf(cell), quantity) ? quantity : 0;
}

/** Returns whether a cell holds more than dust. */
export function holds(market: Market, cell: Cell): boolean {
  return cell.entered > 0 || cell.asset >= market.step;
}

/** Books an entry fill into a cell, which changes to `asset` when it is complete. */
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

/** Ends the cycle of a cell. A remainder that is too small to trade counts as entered for the next. */
function endCycle(market: Market, cell: Cell): void {
  cell.cycles += 1;
  cell.matched = cell.realised;
  cell.state = 'cash';
  cell.entered = floorStep(market, cell.asset);
}

/**
 * Handles the end of a cell's order that was not filled: it is placed again. When the remainder is too small for an order, the
 * cell continues with its present quantity.
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
