import type { Market } from '../market/market.ts';
import { exact, type Price, SCALE, shiftPriceBy } from '../money/units.ts';
import type { GridRules } from './gridRules.ts';

/** Lowest and highest price of a grid. */
export interface Range {
  readonly lower: Price;
  readonly upper: Price;
}

/** Returns the range of a grid that starts at `start`: the given prices, or `range_pct` around it. @see docs/strategies.md#grid */
export function startRange(rules: GridRules, start: Price): Range {
  if (rules.lower > 0 && rules.upper > 0) return { lower: rules.lower, upper: rules.upper };
  return { lower: shiftPriceBy(start, -rules.range, 'down'), upper: shiftPriceBy(start, rules.range, 'up') };
}

/** Returns a range around `centre` as wide as `range`: with the same ratio of its ends, or the same distance. */
export function rangeAround(rules: GridRules, range: Range, centre: Price): Range {
  if (rules.lower === 0) return startRange(rules, centre);
  if (rules.geometric) {
    const half = Math.sqrt(range.upper / range.lower);
    return { lower: Math.floor(centre / half), upper: Math.ceil(centre * half) };
  }
  const half = Math.floor((range.upper - range.lower) / 2);
  return { lower: centre - half, upper: centre + half };
}

/**
 * Returns the prices p₀ … p_N of a grid: `lower·(upper/lower)^(i/N)` or `lower + i·(upper − lower)/N`, to the nearest tick.
 *
 * @see docs/strategies.md#grid
 */
export function gridLevels(market: Market, { lower, upper }: Range, rules: GridRules): Price[] {
  const { cells, geometric } = rules;
  return Array.from({ length: cells + 1 }, (_, i) => {
    const at = geometric ? lower * (upper / lower) ** (i / cells) : lower + (i * (upper - lower)) / cells;
    return exact(Math.round(at / market.tick) * market.tick);
  });
}

/**
 * Returns the net gain of one cycle of a cell as a ratio of its price: `(p_{i+1}(1−f) − pᵢ(1+f))/pᵢ`.
 *
 * @param fee maker fee as a ratio times 1e8
 * @see docs/strategies.md#grid
 */
export function cellGain(low: Price, high: Price, fee: number): number {
  return (high * (1 - fee / SCALE) - low * (1 + fee / SCALE)) / low;
}

/**
 * Returns the smallest net gain of a grid's cells, before prices are rounded to the tick.
 *
 * @param fee maker fee as a ratio times 1e8
 */
export function minGain(rules: GridRules, fee: number): number {
  const { lower, upper } = rules.lower > 0 ? rules : { lower: SCALE - rules.range, upper: SCALE + rules.range };
  // With equal distances the highest cell has the smallest ratio.
  const ratio = rules.geometric
    ? (upper / lower) ** (1 / rules.cells)
    : upper / (upper - (upper - lower) / rules.cells);
  return cellGain(1, ratio, fee);
}
