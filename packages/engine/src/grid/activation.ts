import type { Cell } from './cell.ts';
import type { Grid } from './grid.ts';

/** Works out which closes would change a cell, so that all others cost two comparisons. */
export function setActivationPrices(grid: Grid): void {
  let above = 0;
  let below = 0;
  for (const cell of grid.cells) {
    if (!isInactive(cell)) continue;
    if (cell.side === 1 && (above === 0 || cell.high < above)) above = cell.high;
    if (cell.side === -1 && cell.low > below) below = cell.low;
  }
  grid.wakesAbove = above;
  grid.wakesBelow = below;
}

/** A cell that a close beyond its exit price moves on: one that waits, or one that is filled in part. */
export function isInactive(cell: Cell): boolean {
  return cell.state === 'waiting' || (cell.state === 'buying' && !cell.byBase && cell.entered > 0);
}
