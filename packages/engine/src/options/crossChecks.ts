import { percentRatio } from '../money/units.ts';
import type { OptionFault } from './fault.ts';
import type { ExitLevel, Text } from './item.ts';
import { type BotOptions, OPTIONS, type OptionName } from './table.ts';

/**
 * Faults between options that are each in range. The other errors are found elsewhere: a `poll_scan_time` that is
 * no finite number by its range, an unknown strategy and a parameter out of range by `chooseStrategy`, too few candles
 * kept by {@link lookbackFaults}, which needs the strategy.
 *
 * @param faulty names of options that are wrong by themselves; what they take part in is not judged
 * @see docs/options.md#refused-together
 */
export function crossFaults(options: BotOptions, faulty: ReadonlySet<string>): OptionFault[] {
  const good = (...names: OptionName[]) => names.every((name) => !faulty.has(name));
  const faults: OptionFault[] = [];
  if (good('min_buy_size', 'max_buy_size')) faults.push(...entrySizeFaults(options));
  for (const name of ['stop_sell', 'profit_callback', 'profit_win'] as const) {
    if (good(name)) faults.push(...sameProfitFaults(name, options[name]));
  }
  return faults;
}

/** The largest entry is below the smallest one. @see docs/options.md#refused-together */
function entrySizeFaults({ min_buy_size, max_buy_size }: BotOptions): OptionFault[] {
  if (max_buy_size === 0 || max_buy_size >= min_buy_size) return [];
  const min = words('min_buy_size');
  return [
    fault('max_buy_size', {
      zh: `${max_buy_size} 小于${min.zh} ${min_buy_size}；填 0 表示不限`,
      en: `${max_buy_size} is below ${min.en} ${min_buy_size}; 0 means no cap`,
    }),
  ];
}

/**
 * Two rows of one table have the same `profit`, as exact as the engine reads it.
 *
 * @see docs/options.md#refused-together
 */
function sameProfitFaults(name: OptionName, rows: readonly ExitLevel[]): OptionFault[] {
  const seen = new Map<number, number>();
  for (const [index, { profit }] of rows.entries()) {
    const before = seen.get(percentRatio(profit));
    if (before !== undefined) {
      const zh = `第 ${before + 1} 行和第 ${index + 1} 行的 profit 都是 ${profit}`;
      return [fault(name, { zh, en: `rows ${before + 1} and ${index + 1} both have profit ${profit}` })];
    }
    seen.set(percentRatio(profit), index);
  }
  return [];
}

/**
 * Fewer candles are kept than an entry needs, with two to spare.
 *
 * @param warmup of the strategy with its parameters, in candles
 * @see docs/options.md#refused-together
 */
export function lookbackFaults(options: BotOptions, warmup: number): OptionFault[] {
  const min = Math.max(options.min_periods, warmup) + 2;
  if (options.keep_lookback_periods >= min) return [];
  const periods = words('min_periods');
  const cause =
    warmup > options.min_periods
      ? { zh: `策略预热需要 ${warmup} 根`, en: `the strategy warms up over ${warmup}` }
      : { zh: `${periods.zh}是 ${options.min_periods}`, en: `${periods.en} is ${options.min_periods}` };
  return [
    fault('keep_lookback_periods', {
      zh: `${options.keep_lookback_periods} 太少，至少为 ${min}（${cause.zh}，另加 2 根）`,
      en: `${options.keep_lookback_periods} is too few, at least ${min} are needed (${cause.en}, and 2 more)`,
    }),
  ];
}

function fault(name: OptionName, message: Text): OptionFault {
  const { zh, en } = words(name);
  return { option: name, message: { zh: `${zh}：${message.zh}`, en: `${en}: ${message.en}` } };
}

/** An item by title and name. */
function words(name: OptionName): Text {
  const title = OPTIONS.get(name)?.title;
  return { zh: `${title?.zh}（${name}）`, en: `${title?.en} (${name})` };
}
