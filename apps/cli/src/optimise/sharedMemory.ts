import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import type { BacktestTimeline, TimelinePair } from '@heron/engine/backtest/backtestTimeline.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';

/** The pairs with their candles in memory that threads share instead of copying it. */
export function sharePairs(pairs: readonly BacktestPair[]): BacktestPair[] {
  return pairs.map((pair) => ({ ...pair, candles: shareColumns(pair.candles) }));
}

/** Returns a timeline whose columns all lie in shared memory. Columns that lie there already are not copied. */
export function shareCourse(course: BacktestTimeline): BacktestTimeline {
  return {
    ...course,
    time: share(course.time),
    pairs: course.pairs.map((pair): TimelinePair => {
      const candles = shareColumns(pair.candles);
      return {
        ...pair,
        candles,
        walk: pair.walk === pair.candles ? candles : shareColumns(pair.walk),
        closing: pair.closing && share(pair.closing),
        steps: pair.steps && share(pair.steps),
      };
    }),
  };
}

function shareColumns({ length, time, open, high, low, close, volume }: CandleColumns): CandleColumns {
  return {
    length,
    time: share(time),
    open: share(open),
    high: share(high),
    low: share(low),
    close: share(close),
    volume: share(volume),
  };
}

function share<Column extends Float64Array | Int32Array>(column: Column): Column {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const buffer = new SharedArrayBuffer(column.byteLength);
  const copy = column instanceof Float64Array ? new Float64Array(buffer) : new Int32Array(buffer);
  copy.set(column);
  // The type of the column is kept.
  return copy as Column;
}
