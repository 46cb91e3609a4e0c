import { type BacktestTimeline, cutTimeline } from '../backtest/backtestTimeline.ts';
import { everyFlag } from '../backtest/pairRun.ts';
import type { Setup } from '../options/setup.ts';
import { type Figures, figuresOf, type Track, trackOf } from './figures.ts';
import type { TimeRange } from './walkForward.ts';

/**
 * Runs parameter sets on the same candles, one after the other. `figures` returns the figures of one set for each time range, or
 * for the whole timeline without time ranges.
 *
 * Sets share the candles, which are merged once for each period. Sets that differ only in options also share the flags of their
 * strategy, which depend only on candles and parameters. Each time range starts with the start capital, and with a strategy that
 * has processed all earlier candles.
 */
export interface Trials {
  figures(setup: Setup): Figures[];
}

/**
 * @param courses timelines by period, each with the same pairs
 * @param timeRanges empty for the whole timeline
 * @param neighbours whether consecutive sets may have the same strategy and parameters
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
