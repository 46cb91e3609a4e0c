import type { Market } from '../market/market.ts';
import { type Cell, entryOf, exitOf, holds, sellable, wanting } from './cell.ts';
import type { Grid } from './grid.ts';
import { orderSide, type PlanOrder } from './planOrder.ts';

/**
 * Returns the orders that a grid wants: at most one per cell and at most `most`, those nearest to the price. In a neutral grid
 * one side waits while the other holds, because a pair has one position.
 *
 * @see docs/strategies.md#grid
 */
export function gridOrders(grid: Grid, market: Market, most: number = Number.MAX_SAFE_INTEGER): PlanOrder[] {
  const held = grid.side === 0 ? grid.cells.find((cell) => holds(market, cell)) : undefined;
  const orders: PlanOrder[] = [];
  grid.cells.forEach((cell, index) => {
    if (held !== undefined && cell.side !== held.side && !holds(market, cell)) return;
    const order = orderOfCell(market, cell, String(index));
    if (order !== null) orders.push(order);
  });
  if (orders.length <= most) return orders;
  const near = (order: PlanOrder) => Math.abs(order.price - grid.price);
  return orders.sort((a, b) => near(a) - near(b)).slice(0, most);
}

/** Returns the order of one cell as a list, regardless of the other cells. */
export function oneGridOrder(grid: Grid, market: Market, key: string): PlanOrder[] {
  const cell = grid.cells[Number(key)];
  const order = cell === undefined ? null : orderOfCell(market, cell, key);
  return order === null ? [] : [order];
}

function orderOfCell(market: Market, cell: Cell, key: string): PlanOrder | null {
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
