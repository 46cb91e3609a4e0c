import type { Span } from './span.ts';
import { gridAfter, gridBefore, type TimeGrid } from './timeGrid.ts';

/**
 * Where candles are missing.
 *
 * @param time open times in order, ms
 * @param within what is looked at
 * @returns spans from the first missing candle to the one behind the last, in order
 */
export function gapsOf(time: Float64Array, grid: TimeGrid, within: Span): Span[] {
  const gaps: Span[] = [];
  let next = gridAfter(grid, within.from);
  // A candle counts when it is whole.
  const end = gridBefore(grid, within.to);
  for (const open of time) {
    if (open < next) continue;
    if (open >= end) break;
    if (open > next) gaps.push({ from: next, to: open });
    next = open + grid.step;
  }
  if (next < end) gaps.push({ from: next, to: end });
  return gaps;
}
