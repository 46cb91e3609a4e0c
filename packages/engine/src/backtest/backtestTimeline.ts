import { type CandleColumns, sliceCandles } from '../market/candle.ts';
import type { Market } from '../market/market.ts';
import { mergeCandles } from '../market/period.ts';
import type { BacktestPair, FundingColumns } from './backtestPair.ts';
import { timelineOf } from './timeline.ts';

/** The part of a backtest that depends only on candles and period, so that many runs can share it. */
export interface BacktestTimeline {
  readonly pairs: readonly TimelinePair[];
  /** Length of the strategy's candles, ms. */
  readonly periodMs: number;
  /** Open time of each step, ms: every time at which some pair has a candle. */
  readonly time: Float64Array;
  /** Step at which trading starts; candles that closed before warm the strategy up. */
  readonly begin: number;
}

/** One pair of a timeline. */
export interface TimelinePair {
  readonly market: Market;
  /** Closed candles of the strategy's period. */
  readonly candles: CandleColumns;
  /** Candles that are walked for fills: the same, or shorter ones inside them. */
  readonly walk: CandleColumns;
  readonly walkMs: number;
  /** For each shorter candle the strategy's candle that closes with it, −1 for none; null when both are the same. */
  readonly closing: Int32Array | null;
  /** Step of each walked candle; null when candle i is step i. */
  readonly steps: Int32Array | null;
  readonly funding: FundingColumns | null;
  /** Walked candle before which each payment falls. */
  readonly fundingAt: Int32Array | null;
}

/**
 * Creates the timeline of a run over `pairs`.
 *
 * @param periodMs length of the strategy's candles; that of the given ones must divide it
 * @param detail walk the shorter candles inside each of the strategy's, where shorter ones are given
 */
export function createBacktestTimeline(
  pairs: readonly BacktestPair[],
  periodMs: number,
  detail: boolean,
): BacktestTimeline {
  const both = pairs.map((pair) => {
    const candles = mergeCandles(pair.candles, pair.candleMs, periodMs);
    return { candles, walk: detail ? detailCandles(pair, candles, periodMs) : candles };
  });
  const { time, steps } = timelineOf(both.map(({ walk }) => walk.time));
  return {
    pairs: both.map((own, k) => {
      const { market, candleMs, funding } = pairs[k] as BacktestPair;
      const same = own.walk === own.candles;
      // Pairs with the same times share one column, which then stays in the processor cache while all of them are walked.
      const walk = (steps[k] ?? null) === null ? { ...own.walk, time } : own.walk;
      const candles = same ? walk : own.candles;
      return {
        market,
        candles,
        walk,
        walkMs: same ? periodMs : candleMs,
        closing: same ? null : closingOf(candles, walk, periodMs),
        steps: steps[k] ?? null,
        funding: funding ?? null,
        fundingAt: funding === undefined ? null : fundingSteps(funding, walk),
      };
    }),
    periodMs,
    time,
    begin: 0,
  };
}

/**
 * Returns the part of a timeline that trades the steps from `from` to before `to`; earlier candles only warm the strategy up.
 * It shares memory.
 *
 * @param from ms; @param to ms
 */
export function cutTimeline(timeline: BacktestTimeline, from: number, to: number): BacktestTimeline {
  return {
    pairs: timeline.pairs.map((pair) => {
      const { candles, walk, closing, steps } = pair;
      const end = stepAt(walk.time, to);
      const cut = sliceCandles(walk, 0, end);
      const closed = closing === null ? cut : sliceCandles(candles, 0, countClosed(closing, end));
      return {
        ...pair,
        candles: closed,
        walk: cut,
        closing: closing?.subarray(0, end) ?? null,
        steps: steps?.subarray(0, end) ?? null,
      };
    }),
    periodMs: timeline.periodMs,
    time: timeline.time.subarray(0, stepAt(timeline.time, to)),
    begin: Math.max(timeline.begin, stepAt(timeline.time, from)),
  };
}

/** Returns when the last step closes, ms: the longest candle that ends the run counts. 0 without a step. */
export function endOf({ pairs }: Pick<BacktestTimeline, 'pairs'>): number {
  return pairs.reduce((end, { walk, walkMs }) => {
    const last = walk.time[walk.length - 1];
    return last === undefined ? end : Math.max(end, last + walkMs);
  }, 0);
}

/** Returns the first of ascending open times at or after `time`; their number when there is none. */
export function stepAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the number of the strategy's candles that are closed before the walked candle `at`. */
export function countClosed(closing: Int32Array, at: number): number {
  for (let i = at - 1; i >= 0; i--) if ((closing[i] as number) >= 0) return (closing[i] as number) + 1;
  return 0;
}

/** Returns the shorter candles inside the strategy's, or those themselves where no shorter ones are given. */
function detailCandles({ candles, candleMs }: BacktestPair, merged: CandleColumns, periodMs: number): CandleColumns {
  if (candleMs === periodMs || merged.length === 0) return merged;
  const begin = merged.time[0] as number;
  const end = (merged.time[merged.length - 1] as number) + periodMs;
  return sliceCandles(candles, stepAt(candles.time, begin), stepAt(candles.time, end));
}

/** Returns for each walked candle the strategy's candle that closes with it: the last one inside it. */
function closingOf(candles: CandleColumns, walk: CandleColumns, periodMs: number): Int32Array {
  const closing = new Int32Array(walk.length).fill(-1);
  let i = 0;
  for (let j = 0; j < candles.length; j++) {
    const end = (candles.time[j] as number) + periodMs;
    while (i < walk.length && (walk.time[i] as number) < end) i += 1;
    if (i > 0) closing[i - 1] = j;
  }
  return closing;
}

function fundingSteps(funding: FundingColumns, walk: CandleColumns): Int32Array {
  return Int32Array.from(funding.time, (time) => stepAt(walk.time, time));
}
