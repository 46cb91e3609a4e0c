import type { Market } from '../market/market.ts';
import type { Price } from '../money/units.ts';
import { isInactive, setActivationPrices } from './activation.ts';
import { exitOf, sellable } from './cell.ts';
import type { Grid } from './grid.ts';

/**
 * Applies a closed candle. A waiting cell that the price has left on the side of its exit may enter; a partially filled one
 * continues with that part, because the price has reached its exit.
 *
 * @returns true when other orders are wanted than before
 * @see docs/strategies.md#grid
 */
export function gridCandle(grid: Grid, market: Market, close: Price): boolean {
  grid.price = close;
  const above = grid.activationPriceAbove > 0 && close > grid.activationPriceAbove;
  const below = grid.activationPriceBelow > 0 && close < grid.activationPriceBelow;
  if (!above && !below) return false;
  let changed = false;
  for (const cell of grid.cells) {
    if (!isInactive(cell) || cell.side * (close - exitOf(cell)) <= 0) continue;
    if (cell.state === 'waiting') cell.state = 'cash';
    else if (sellable(market, cell) > 0) cell.state = 'asset';
    else continue;
    changed = true;
  }
  if (changed) setActivationPrices(grid);
  return changed;
}
