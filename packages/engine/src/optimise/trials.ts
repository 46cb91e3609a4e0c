import { type BacktestTimeline, cutTimeline } from '../backtest/backtestTimeline.ts';
import { everyFlag } from '../backtest/pairRun.ts';
import type { Setup } from '../options/setup.ts';
import { type Figures, figuresOf, type Track, trackOf } from './figures.ts';
import type { TimeRange } from './walkForward.ts';

/**
 * Tries sets on the same candles, one after the other. `figures` gives those of one set on each stretch, or on the whole
 * course when no stretches were named.
 *
 * Sets share the candles, merged once for each period, and, when they differ in options only, what their strategy says of
 * each candle, which depends on candles and parameters alone. A stretch starts with new money and a strategy that knows
 * all candles before it.
 */
export interface Trials {
  figures(setup: Setup): Figures[];
}

/**
 * @param courses by period, the same pairs in each
 * @param timeRanges none for the whole course
 * @param neighbours sets that follow each other may have the same strategy and parameters
 */
export function trialsOf(
  courses: ReadonlyMap<string, BacktestTimeline>,
  timeRanges: readonly TimeRange[],
  neighbours: boolean,
): Trials {
  const prepared = new Map<string, Track[]>();
  const shares = neighbours || timeRanges.length > 1;
  let said = { key: '', flags: [] as Uint8Array[] };

  function tracksOf(period: string): Track[] {
    const known = prepared.get(period);
    if (known !== undefined) return known;
    const timeline = courses.get(period);
    if (timeline === undefined) throw new TypeError(`no candles of ${period}`);
    const cuts =
      timeRanges.length === 0 ? [timeline] : timeRanges.map(({ from, to }) => cutTimeline(timeline, from, to));
    const tracks = cuts.map(trackOf);
    prepared.set(period, tracks);
    return tracks;
  }

  function flagsOf(setup: Setup): Uint8Array[] {
    const { period } = setup.options;
    const key = JSON.stringify([period, setup.strategy.id, setup.params]);
    if (said.key !== key) {
      const { pairs } = courses.get(period) as BacktestTimeline;
      said = { key, flags: pairs.map((pair) => everyFlag(setup, pair)) };
    }
    return said.flags;
  }

  return {
    figures(setup) {
      const tracks = tracksOf(setup.options.period);
      const options = { ...setup.options, strategy: setup.strategy.id };
      const run = { options, params: setup.params, ...(shares ? { flags: flagsOf(setup) } : {}) };
      return tracks.map((track) => figuresOf(track, run));
    },
  };
}
