import type { Cell } from './cell.ts';
import type { Grid } from './grid.ts';

/** Computes the closes that would change a cell, so that all others cost two comparisons. */
export function setActivationPrices(grid: Grid): void {
  let above = 0;
  let below = 0;
  for (const cell of grid.cells) {
    if (!isInactive(cell)) continue;
    if (cell.side === 1 && (above === 0 || cell.high < above)) above = cell.high;
    if (cell.side === -1 && cell.low > below) below = cell.low;
  }
  grid.activationPriceAbove = above;
  grid.activationPriceBelow = below;
}

/** Returns whether a close beyond its exit price changes a cell: one that waits, or one that is partially filled. */
export function isInactive(cell: Cell): boolean {
  return cell.state === 'waiting' || (cell.state === 'buying' && !cell.byBase && cell.entered > 0);
}
