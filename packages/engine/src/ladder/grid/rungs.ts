import type { Market } from '../../market/market.ts';
import { orderSide, type Rung } from '../rung.ts';
import { type Cell, entryOf, exitOf, holds, sellable, wanting } from './cell.ts';
import type { Grid } from './grid.ts';

/**
 * Orders that a grid wants on the book: at most one per cell, `most` of them, those nearest to the price. The side of a
 * neutral grid that does not hold waits while the other one does, because a pair has one position.
 *
 * @see docs/strategies.md#grid
 */
export function gridRungs(grid: Grid, market: Market, most: number = Number.MAX_SAFE_INTEGER): Rung[] {
  const held = grid.side === 0 ? grid.cells.find((cell) => holds(market, cell)) : undefined;
  const rungs: Rung[] = [];
  grid.cells.forEach((cell, index) => {
    if (held !== undefined && cell.side !== held.side && !holds(market, cell)) return;
    const rung = cellRung(market, cell, String(index));
    if (rung !== null) rungs.push(rung);
  });
  if (rungs.length <= most) return rungs;
  const near = (rung: Rung) => Math.abs(rung.price - grid.price);
  return rungs.sort((a, b) => near(a) - near(b)).slice(0, most);
}

/** The order that one cell wants, alone in a list, whatever the others have. */
export function oneRung(grid: Grid, market: Market, key: string): Rung[] {
  const cell = grid.cells[Number(key)];
  const rung = cell === undefined ? null : cellRung(market, cell, key);
  return rung === null ? [] : [rung];
}

function cellRung(market: Market, cell: Cell, key: string): Rung | null {
  switch (cell.state) {
    case 'waiting':
      return null;
    case 'cash':
    case 'buying': {
      const quantity = cell.byBase ? 0 : wanting(market, cell);
      const side = orderSide(cell.side, 'entry');
      return quantity === 0 ? null : { key, kind: 'entry', side, price: entryOf(cell), quantity };
    }
    default: {
      const quantity = sellable(market, cell);
      const side = orderSide(cell.side, 'exit');
      return quantity === 0 ? null : { key, kind: 'exit', side, price: exitOf(cell), quantity };
    }
  }
}
