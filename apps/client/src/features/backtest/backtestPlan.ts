import { PAST_PERIODS } from '@heron/contract/bots/calls.ts';
import { PERIODS, type Period, periodStart } from '@heron/engine/market/period.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { warmupOf } from '@heron/engine/state/warmup.ts';
import { nextLocalDay } from '../../lib/localDay.ts';

const DAY_MS = 86_400_000;

/** Lists the lengths of a backtest until now, in days. */
export const BACKTEST_DAYS = ['7', '30', '90', '180'] as const;

/** The time of a backtest: the last days until now, or from the first to the last of two local days. */
export type BacktestSpan =
  | { readonly kind: 'days'; readonly days: (typeof BACKTEST_DAYS)[number] }
  | { readonly kind: 'dates'; readonly first: number | null; readonly last: number | null };

/** Start and end of a time, ms; the end is exclusive. */
interface TimeRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * Returns start and end of a span. A last day that is not over ends now. Trading begins with a candle of the strategy: the
 * last days with the one that was open then, dates with the first one inside of them.
 *
 * @returns null while a day is missing, or no whole candle fits between the two days
 */
export function timeRangeOf(span: BacktestSpan, period: Period, now: number): TimeRange | null {
  const periodMs = PERIODS[period];
  if (span.kind === 'days') return { begin: periodStart(now - Number(span.days) * DAY_MS, periodMs), end: now };
  const { first, last } = span;
  if (first === null || last === null || first < 0) return null;
  const begin = periodStart(first + periodMs - 1, periodMs);
  const end = Math.min(now, nextLocalDay(last));
  return begin + periodMs <= end ? { begin, end } : null;
}

/** Max number of candles of all pairs together when the plan uses a period shorter than the longest possible one. */
const FINE_CANDLES = 200_000;
/** Max number of candles of all pairs together with the longest possible period. */
const MAX_CANDLES = 500_000;

/** Describes the candles of a backtest. */
export interface BacktestPlan {
  readonly pairs: readonly string[];
  /**
   * Period of the candles: that of the strategy, or a shorter one that divides it. Fills and exits are found in these
   * candles.
   */
  readonly period: (typeof PAST_PERIODS)[number];
  /** Open time of the first candle, ms. */
  readonly from: number;
  /** Start of trading, ms. The candles before it warm the strategy up. */
  readonly begin: number;
  /** End of the last candle, ms; exclusive. */
  readonly to: number;
  /** Number of candles of all pairs together. */
  readonly candles: number;
}

/**
 * Plans the candles of a time and of the warm-up before it. It prefers shorter candles as long as their number is allowed.
 *
 * @returns null when there would be too many
 */
export function backtestPlan({ options, strategy, params }: Setup, times: TimeRange): BacktestPlan | null {
  const pairs = watchedPairs(options);
  const periodMs = PERIODS[options.period as Period];
  const { begin } = times;
  const from = Math.max(0, begin - warmupOf(options, strategy, params) * periodMs);
  const plans = PAST_PERIODS.filter((period) => periodMs % PERIODS[period] === 0).map((period) => {
    const to = periodStart(times.end, PERIODS[period]);
    return { pairs, period, from, begin, to, candles: (pairs.length * (to - from)) / PERIODS[period] };
  });
  const longest = plans.at(-1);
  const coarsest = longest && longest.candles <= MAX_CANDLES ? longest : null;
  return plans.find(({ candles }) => candles <= FINE_CANDLES) ?? coarsest;
}

/** Returns the number of days of a plan or a run, without the warm-up. */
export function daysOf({ begin, to }: Pick<BacktestPlan, 'begin' | 'to'>): number {
  return Math.round((to - begin) / DAY_MS);
}

/** Returns the pairs that the bot would watch. @see docs/bot-lifecycle.md#watched-pairs */
function watchedPairs({ watch_pairs, max_watch_size, product_currency }: Setup['options']): string[] {
  const { pairs } = parsePairs(watch_pairs);
  const own = pairs.filter((pair) => pair.endsWith(`-${product_currency}`));
  return max_watch_size > 0 ? own.slice(0, max_watch_size) : own;
}
