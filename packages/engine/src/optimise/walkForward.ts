import type { Figures } from './figures.ts';
import { type Objective, rankingOf, scoreOf } from './score.ts';
import { type Summary, summaryOf } from './summary.ts';

/** A time range: candles that open from `from` to before `to`, ms. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A walk-forward window: a set is chosen on `train` and evaluated on `test`, which follows without a gap. */
export interface Window {
  readonly train: TimeRange;
  readonly test: TimeRange;
}

/**
 * Returns the windows from `begin` to `end`. Each is shifted by the length of a test, so that tests follow each other without gap
 * or overlap. A remainder at the end that is shorter than a test is not used.
 *
 * @param begin open time of the first candle, ms; @param end close time of the last one
 * @param trainMs length of each train; @param testMs length of each test, above 0
 */
export function windowsOf(begin: number, end: number, trainMs: number, testMs: number): Window[] {
  const windows: Window[] = [];
  for (let from = begin; from + trainMs + testMs <= end; from += testMs) {
    const turn = from + trainMs;
    windows.push({ train: { from, to: turn }, test: { from: turn, to: turn + testMs } });
  }
  return windows;
}

/** Result of one window. */
export interface WindowResult {
  readonly window: Window;
  /** Index of the best set on train; null when no set has a score there. */
  readonly chosen: number | null;
  /** Rank of the chosen set on test, from 1; null without a chosen set. */
  readonly testRank: number | null;
  /** Summary of all sets on train. */
  readonly inSample: Summary;
  /** Summary of all sets on test. */
  readonly outOfSample: Summary;
}

/**
 * Chooses the best set on train and ranks it on test.
 *
 * @param train figures of every set on train; @param test figures of the same sets on test, in the same order
 */
export function judgeWindow(
  window: Window,
  train: readonly Figures[],
  test: readonly Figures[],
  objective: Objective,
): WindowResult {
  // A test is too short to require a minimum number of trades.
  const testAim = { ...objective, minTrades: 0 };
  const best = rankingOf(train, objective)[0];
  const chosen = best !== undefined && scoreOf(train[best] as Figures, objective) !== null ? best : null;
  return {
    window,
    chosen,
    testRank: chosen === null ? null : rankingOf(test, testAim).indexOf(chosen) + 1,
    inSample: summaryOf(train, objective),
    outOfSample: summaryOf(test, testAim),
  };
}

/** Result of trading the chosen sets over all tests, one after the other. */
export interface WalkForwardTotal {
  readonly windows: number;
  /** Number of windows whose chosen set has a gain on test. */
  readonly profitable: number;
  /** Compounded result of all tests, in percent; windows without a chosen set count as 0 %. */
  readonly compoundedPercent: number;
  /** Mean result of the chosen sets on train, in percent; `meanTestPercent` is that on test. */
  readonly meanTrainPercent: number;
  readonly meanTestPercent: number;
}

/** @param chosen figures of the chosen set on train and on test, for each window; null where none was chosen */
export function totalOf(chosen: readonly ({ train: Figures; test: Figures } | null)[]): WalkForwardTotal {
  const known = chosen.filter((pair) => pair !== null);
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    windows: chosen.length,
    profitable: known.filter(({ test }) => test.netProfit > 0).length,
    compoundedPercent: 100 * (known.reduce((product, { test }) => product * (1 + test.netProfitPercent / 100), 1) - 1),
    meanTrainPercent: mean(known.map(({ train }) => train.netProfitPercent)),
    meanTestPercent: mean(known.map(({ test }) => test.netProfitPercent)),
  };
}
