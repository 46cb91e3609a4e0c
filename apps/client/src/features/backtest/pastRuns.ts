import type { Item } from '@heron/engine/options/item.ts';
import { OPTION_TABLE } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import type { Param } from '@heron/engine/strategies/strategy.ts';
import { isSame } from '../../entities/bot/setup/differences.ts';
import type { BacktestResult } from './runBacktest.ts';

/** Holds the parts of a finished backtest that are compared. */
export interface PastRun {
  /** Start and end of trading, ms. */
  readonly begin: number;
  readonly to: number;
  readonly options: BacktestResult['document']['options'];
  readonly params: BacktestResult['document']['params'];
  readonly metrics: BacktestResult['document']['metrics'];
  readonly buyAndHold: number;
}

/** Max number of runs; more do not fit side by side. */
export const MAX_PAST_RUNS = 3;

export function runOf({ plan, document, buyAndHold }: BacktestResult): PastRun {
  const { options, params, metrics } = document;
  return { begin: plan.begin, to: document.to, options, params, metrics, buyAndHold };
}

/** Describes one option or parameter whose value differs between runs, with the value in each run. */
export type RunDifference = { readonly values: readonly unknown[] } & (
  | { readonly item: Item }
  | { readonly param: Param }
);

/**
 * Returns the differences between runs in the order of the form. Parameters are compared only when all runs have the same
 * strategy.
 */
export function runDifferences(runs: readonly PastRun[]): RunDifference[] {
  const differ = (values: readonly unknown[]) => values.some((value) => !isSame(value, values[0]));
  const found: RunDifference[] = [];
  for (const item of OPTION_TABLE as readonly Item[]) {
    const values = runs.map(({ options }) => (options as Readonly<Record<string, unknown>>)[item.name]);
    if (differ(values)) found.push({ item, values });
  }
  const strategies = new Set(runs.map(({ options }) => options.strategy));
  const [strategy] = strategies;
  if (strategies.size > 1 || strategy === undefined) return found;
  for (const param of STRATEGIES.get(strategy)?.params ?? []) {
    const values = runs.map(({ params }) => params[param.name]);
    if (differ(values)) found.push({ param, values });
  }
  return found;
}
