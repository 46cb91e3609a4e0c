import { PAST_PERIODS } from '@heron/contract/bots/calls.ts';
import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { warmupOf } from '@heron/engine/state/warmup.ts';

const DAY_MS = 86_400_000;

/** How many days back a backtest may go. */
export const BACKTEST_DAYS = ['7', '30', '90', '180'] as const;

/** Of shorter candles inside those of the strategy so many are fetched, all pairs together, and no more. */
const FINE_CANDLES = 200_000;
/** Of the longest candles that will do so many. */
const MOST_CANDLES = 500_000;

/** Which candles a backtest runs over. */
export interface BacktestPlan {
  readonly pairs: readonly string[];
  /** Length of the candles: that of the strategy, or a shorter one that it is made of, in which fills and exits are found. */
  readonly period: (typeof PAST_PERIODS)[number];
  /** First of them, ms. */
  readonly from: number;
  /** From here on it may trade; what lies before warms the strategy up. ms */
  readonly begin: number;
  /** Before this moment. ms */
  readonly to: number;
  /** How many there are, all pairs together. */
  readonly candles: number;
}

/**
 * The candles of the last days, and before them as many as the strategy needs to warm up; as short ones as are worth their
 * number.
 *
 * @returns null when there would be too many
 */
export function backtestPlan({ options, strategy, params }: Setup, days: number, now: number): BacktestPlan | null {
  const pairs = watchedPairs(options);
  const periodMs = PERIODS[options.period as Period];
  const begin = periodStart(now - days * DAY_MS, periodMs);
  const from = Math.max(0, begin - warmupOf(options, strategy, params) * periodMs);
  const plans = PAST_PERIODS.filter((period) => periodMs % PERIODS[period] === 0).map((period) => {
    const to = periodStart(now, PERIODS[period]);
    return { pairs, period, from, begin, to, candles: (pairs.length * (to - from)) / PERIODS[period] };
  });
  const longest = plans.at(-1);
  const coarsest = longest && longest.candles <= MOST_CANDLES ? longest : null;
  return plans.find(({ candles }) => candles <= FINE_CANDLES) ?? coarsest;
}

/** Returns how many days a plan goes back, without those that warm the strategy up. */
export function daysOf({ begin, to }: BacktestPlan): number {
  return Math.round((to - begin) / DAY_MS);
}

/** Those that the bot would watch. @see docs/bot-lifecycle.md#watched-pairs */
function watchedPairs({ watch_pairs, max_watch_size, product_currency }: Setup['options']): string[] {
  const { pairs } = parsePairs(watch_pairs);
  const own = pairs.filter((pair) => pair.endsWith(`-${product_currency}`));
  return max_watch_size > 0 ? own.slice(0, max_watch_size) : own;
}
