import { openPool, type Pool } from '@heron/cli/src/optimise/pool.ts';
import { shareCourse, sharePairs } from '@heron/cli/src/optimise/sharedMemory.ts';
import { createBacktestTimeline } from '@heron/engine/backtest/backtestTimeline.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { allCombinations } from '@heron/engine/optimise/allCombinations.ts';
import { rangeOf } from '@heron/engine/optimise/range.ts';
import { pointAt, spaceOf } from '@heron/engine/optimise/space.ts';
import { bareEmaCross } from './bare.ts';
import { MARKET } from './candles.ts';
import { BARE_RULE } from './heron.ts';

/** EMA crosses: 8 fast means with 25 slow ones. */
const SPACE = spaceOf(
  {
    options: {
      ...BARE_RULE,
      strategy: 'ema_cross',
      period: '1m',
      watch_pairs: MARKET.pair,
      product_currency: MARKET.quote,
    },
    params: {},
  },
  [
    { kind: 'param', name: 'fast', values: rangeOf(6, 20, 2) },
    { kind: 'param', name: 'slow', values: rangeOf(24, 72, 2) },
  ],
);

/** Sets that are tried. */
export const SETS: readonly number[] = allCombinations(SPACE).indices;

/** Threads that try sets on `candles` as `heron optimise` does. */
export function openSearch(candles: CandleColumns, workers: number): Pool {
  const pairs = sharePairs([{ market: MARKET, candles, candleMs: PERIODS['1m'] }]);
  const timeline = shareCourse(createBacktestTimeline(pairs, PERIODS['1m'], true));
  return openPool({ space: SPACE, courses: new Map([['1m', timeline]]), stretches: [] }, workers);
}

/** Tries every set on all threads. @returns trades of all sets */
export async function searchAll(pool: Pool): Promise<number> {
  let trades = 0;
  await pool.run(SETS, (_index, figures) => {
    trades += figures.reduce((sum, of) => sum + of.trades, 0);
  });
  return trades;
}

/** The bare loop over the same sets. @param equity room for its curve @returns fills of all sets */
export function bareSearch(candles: CandleColumns, equity: Float64Array): number {
  let fills = 0;
  for (const index of SETS) {
    const { fast, slow } = pointAt(SPACE, index).params as { fast: number; slow: number };
    fills += bareEmaCross(candles, fast, slow, 3 * slow, equity).fills;
  }
  return fills;
}
