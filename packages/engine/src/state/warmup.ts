import type { BotOptions } from '../options/table.ts';
import type { Params, Strategy } from '../strategies/strategy.ts';

/**
 * Closed candles that a pair has before its first entry.
 *
 * @param params validated
 * @see docs/entries.md#warm-up
 */
export function warmupOf(options: Pick<BotOptions, 'min_periods'>, strategy: Strategy, params: Params): number {
  return Math.max(options.min_periods, strategy.warmup(params));
}
