import type { Span } from './span.ts';
import { gridAfter, gridBefore, type TimeGrid } from './timeGrid.ts';

/**
 * Returns the spans without candles.
 *
 * @param time open times in order, ms
 * @param within searched span
 * @returns spans from the first missing candle to the end of the last one, in order
 */
export function gapsOf(time: Float64Array, grid: TimeGrid, within: Span): Span[] {
  const gaps: Span[] = [];
  let next = gridAfter(grid, within.from);
  // Only whole candles count.
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
