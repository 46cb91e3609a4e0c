import { floorStep, type Market } from '../market/market.ts';
import { exact, mulDiv, type Quantity, type Quote } from '../money/units.ts';
import { setActivationPrices } from './activation.ts';
import { type Cell, enterCell, exitCell, orderEnded, sellable } from './cell.ts';
import type { Grid } from './grid.ts';
import type { GridFill } from './planOrder.ts';

/** Marks the order of a cell as placed. */
export function gridPlaced(grid: Grid, key: string, kind: 'entry' | 'exit'): void {
  const cell = cellOf(grid, key);
  if (kind === 'entry' && cell.state === 'cash') cell.state = 'buying';
  if (kind === 'exit' && cell.state === 'asset') cell.state = 'selling';
}

/**
 * Books a fill of a cell's order.
 *
 * @returns net result of an exit by the average cost of the cell, 0 of an entry
 * @see docs/strategies.md#grid
 */
export function gridFilled(grid: Grid, market: Market, key: string, kind: 'entry' | 'exit', fill: GridFill): Quote {
  const cell = cellOf(grid, key);
  const waited = cell.entered === 0;
  let realised = 0;
  if (kind === 'entry') enterCell(cell, fill);
  else realised = exitCell(market, cell, fill);
  if (waited || cell.state !== 'buying') setActivationPrices(grid);
  return realised;
}

/** Handles the end of a cell's order. */
export function gridEnded(grid: Grid, market: Market, key: string): void {
  orderEnded(market, cellOf(grid, key));
  setActivationPrices(grid);
}

/** Distributes a fill of the base order to its cells in order, those nearest to their exit first. */
export function baseFilled(grid: Grid, fill: GridFill): void {
  const cells = baseCells(grid);
  let { quantity, value, feeBase, feeQuote } = fill;
  cells.forEach((cell, index) => {
    if (quantity === 0) return;
    const rest = exact(cell.quantity - cell.entered);
    const part = index === cells.length - 1 ? quantity : Math.min(rest, quantity);
    if (part === 0) return;
    // Shares of the remainder lose nothing to rounding.
    const share = {
      quantity: part,
      value: mulDiv(value, part, quantity),
      feeBase: mulDiv(feeBase, part, quantity),
      feeQuote: mulDiv(feeQuote, part, quantity),
    };
    quantity -= share.quantity;
    value -= share.value;
    feeBase -= share.feeBase;
    feeQuote -= share.feeQuote;
    enterShare(cell, share);
  });
}

/** Handles the end of the base order: cells that received a part sell it, the others wait. */
export function baseEnded(grid: Grid, market: Market): void {
  grid.base = 'none';
  for (const cell of baseCells(grid)) {
    cell.byBase = false;
    cell.state = sellable(market, cell) > 0 ? 'asset' : 'waiting';
  }
  setActivationPrices(grid);
}

/** Returns the order value that cells may still spend on entries. */
export function gridReserve(grid: Grid, value: (cell: Cell, quantity: Quantity) => Quote): Quote {
  let reserve = 0;
  for (const cell of grid.cells) {
    if (cell.byBase || cell.state === 'asset' || cell.state === 'selling') continue;
    reserve = exact(reserve + value(cell, Math.max(0, cell.quantity - cell.entered)));
  }
  return reserve;
}

/** Returns whether no cell holds more than dust. */
export function gridIsFlat(grid: Grid, market: Market): boolean {
  return grid.base === 'none' && grid.cells.every((cell) => floorStep(market, cell.asset) === 0);
}

function enterShare(cell: Cell, share: GridFill): void {
  enterCell(cell, share);
  // The cell sells once the whole base order has ended.
  cell.state = 'buying';
}

function baseCells(grid: Grid): Cell[] {
  const cells = grid.cells.filter(({ byBase }) => byBase);
  return grid.side === -1 ? cells.reverse() : cells;
}

function cellOf(grid: Grid, key: string): Cell {
  const cell = grid.cells[Number(key)];
  if (cell === undefined) throw new RangeError(`the grid has no cell ${key}`);
  return cell;
}
