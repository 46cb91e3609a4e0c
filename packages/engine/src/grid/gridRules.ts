import { type Price, percentRatio, type Ratio, toUnits } from '../money/units.ts';
import type { Params } from '../strategies/strategy.ts';

/** Parameters of a grid in the units of the engine. @see docs/strategies.md#grid */
export interface GridRules {
  /** Both 0: a range around the start price. */
  readonly lower: Price;
  readonly upper: Price;
  /** Half of the range as a ratio of the start price, used when no prices are given. */
  readonly range: Ratio;
  readonly cells: number;
  readonly geometric: boolean;
  readonly initialBuy: boolean;
  readonly recentre: boolean;
}

/** Converts checked parameters. */
export function gridRules(params: Params): GridRules {
  return {
    lower: toUnits(params.lower as number),
    upper: toUnits(params.upper as number),
    range: percentRatio(params.range_pct as number),
    cells: params.levels as number,
    geometric: params.spacing === 'geometric',
    initialBuy: params.initial_buy as boolean,
    recentre: params.recentre as boolean,
  };
}
