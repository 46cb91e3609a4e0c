import { percentRatio } from '../money/units.ts';
import type { OptionFault } from './fault.ts';
import type { ExitRow } from './item.ts';
import type { BotOptions, OptionName } from './table.ts';

/**
 * Returns the faults between options that are each in range. `chooseStrategy` finds an unknown strategy and parameters out of
 * range. {@link lookbackFaults} finds too few candles, because it needs the strategy.
 *
 * @param faulty names of options that are wrong by themselves; checks that involve one of them are skipped
 * @see docs/options.md#refused-together
 */
export function crossFaults(options: BotOptions, faulty: ReadonlySet<string>): OptionFault[] {
  const good = (...names: OptionName[]) => names.every((name) => !faulty.has(name));
  const faults: OptionFault[] = [];
  if (good('min_buy_size', 'max_buy_size')) faults.push(...entrySizeFaults(options));
  for (const name of ['stop_sell', 'trailing_stop', 'profit_callback', 'profit_win'] as const) {
    if (good(name)) faults.push(...sameTriggerFaults(name, options[name]));
  }
  return faults;
}

/** Reports a largest entry below the smallest one. @see docs/options.md#refused-together */
function entrySizeFaults({ min_buy_size: min, max_buy_size: max }: BotOptions): OptionFault[] {
  return max === 0 || max >= min ? [] : [{ option: 'max_buy_size', code: 'entry_size', max, min }];
}

/**
 * Reports two rows of one table that are triggered at the same percent, compared as exactly as the engine reads it.
 *
 * @see docs/options.md#refused-together
 */
function sameTriggerFaults(option: OptionName, rows: readonly ExitRow[]): OptionFault[] {
  const seen = new Map<number, number>();
  for (const [index, { profit: percent }] of rows.entries()) {
    const before = seen.get(percentRatio(percent));
    if (before !== undefined) return [{ option, code: 'same_trigger', first: before + 1, second: index + 1, percent }];
    seen.set(percentRatio(percent), index);
  }
  return [];
}

/**
 * Reports that fewer candles are kept than an entry needs, plus two.
 *
 * @param warmup of the strategy with its parameters, in candles
 * @see docs/options.md#refused-together
 */
export function lookbackFaults(options: BotOptions, warmup: number): OptionFault[] {
  const { keep_lookback_periods: kept, min_periods: minPeriods } = options;
  const min = Math.max(minPeriods, warmup) + 2;
  if (kept >= min) return [];
  const needed = warmup > minPeriods ? warmup : null;
  return [{ option: 'keep_lookback_periods', code: 'lookback', kept, min, minPeriods, warmup: needed }];
}
