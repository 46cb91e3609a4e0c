import type { Figures } from './figures.ts';
import { type Objective, rankingOf, scoreOf } from './score.ts';
import { type Summary, summaryOf } from './summary.ts';

/** A stretch of time: candles that open from `from` to before `to`, ms. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A window: a set is chosen on the candles of `train` and reported on those of `test`, which follow at once. */
export interface Window {
  readonly train: TimeRange;
  readonly test: TimeRange;
}

/**
 * Windows over the time from `begin` to `end`, each moved on by the length of a test, so that tests follow each other
 * without gap or overlap. What is left at the end and is shorter than a test is not used.
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

/** What one window has shown. */
export interface WindowResult {
  readonly window: Window;
  /** Place of the set that was best on train; null when no set has a score there. */
  readonly chosen: number | null;
  /** Its place among all sets on test, from 1; null without a chosen set. */
  readonly testRank: number | null;
  /** All sets on train. */
  readonly inSample: Summary;
  /** All sets on test. */
  readonly outOfSample: Summary;
}

/**
 * Chooses the best set on train and says how it did on test.
 *
 * @param train figures of every set; @param test of the same sets, in the same order
 */
export function judgeWindow(
  window: Window,
  train: readonly Figures[],
  test: readonly Figures[],
  objective: Objective,
): WindowResult {
  // A test is short: on how few trades its figures stand is for the reader to judge.
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

/** What following the choices would have brought over all tests, one after the other. */
export interface WalkForwardTotal {
  readonly windows: number;
  /** Windows whose chosen set ended its test with a gain. */
  readonly profitable: number;
  /** Result of all tests compounded, in percent; windows without a choice hold money. */
  readonly compoundedPercent: number;
  /** Mean result of the chosen sets on train and on test, in percent. */
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
