import type { Market } from '../market/market.ts';
import { mulDiv, type Price } from '../money/units.ts';
import { gridIsFlat } from './cellOrders.ts';
import type { Grid } from './grid.ts';
import { type Range, rangeAround } from './gridLevels.ts';
import type { GridRules } from './gridRules.ts';

/**
 * Returns the new range of a flat grid after a candle closed more than one cell beyond its range.
 *
 * @returns null when the grid stays
 * @see docs/strategies.md#grid
 */
export function recentredRange(grid: Grid, rules: GridRules, market: Market, close: Price): Range | null {
  if (!rules.recentre) return null;
  const last = grid.levels.length - 1;
  const lower = grid.levels[0] as number;
  const upper = grid.levels[last] as number;
  if (close >= lower && close <= upper) return null;
  const inside = close > upper ? (grid.levels[last - 1] as number) : (grid.levels[1] as number);
  const end = close > upper ? upper : lower;
  const beyond = rules.geometric ? mulDiv(end, end, inside) : end + (end - inside);
  if (close > upper ? close <= beyond : close >= beyond) return null;
  if (!gridIsFlat(grid, market)) return null;
  const range = rangeAround(rules, { lower, upper }, close);
  return range.lower > 0 ? range : null;
}
