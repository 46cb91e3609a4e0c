import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import { mergeCandles, PERIODS, type Period } from '@heron/engine/market/period.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { warmupOf } from '@heron/engine/state/warmup.ts';
import type { BacktestPlan } from './backtestPlan.ts';

/**
 * Returns when a pair can first trade in a backtest, ms: once the candles of the warm-up have closed. A young market warms
 * up later than planned; the result is null when that is not before the end.
 *
 * @see docs/entries.md#warm-up
 */
export function firstTrade(
  { candles, candleMs }: Pick<BacktestPair, 'candles' | 'candleMs'>,
  { options, strategy, params }: Setup,
  { begin, to }: Pick<BacktestPlan, 'begin' | 'to'>,
): number | null {
  const periodMs = PERIODS[options.period as Period];
  const { time, length } = mergeCandles(candles, candleMs, periodMs);
  const last = Math.max(1, warmupOf(options, strategy, params)) - 1;
  const warm = last < length ? (time[last] as number) + periodMs : to;
  return warm < to ? Math.max(begin, warm) : null;
}
