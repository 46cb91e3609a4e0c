import { backtestMoney, type PriceSource } from '@heron/contract/bots/backtestMoney.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import type { Figures } from '@heron/engine/optimise/figures.ts';
import { type Objective, rankingOf, scoreOf } from '@heron/engine/optimise/score.ts';
import type { Selection } from '@heron/engine/optimise/selection.ts';
import { type Axis, pointAt, type Space, sizeOf } from '@heron/engine/optimise/space.ts';
import { type Summary, summaryOf } from '@heron/engine/optimise/summary.ts';
import {
  judgeWindow,
  type TimeRange,
  totalOf,
  type WalkForwardTotal,
  type Window,
} from '@heron/engine/optimise/walkForward.ts';

/** The varied values of a set. */
export interface VariedValues {
  params: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
}

/** One set of the ranking. */
export interface RankedSet extends VariedValues {
  rank: number;
  /** Null when its figure is not defined or it has too few trades. */
  score: number | null;
  figures: Figures;
}

/** One window of a walk-forward. */
export interface WindowReport {
  train: TimeRange;
  test: TimeRange;
  /** Best on train; null when no set traded enough there. `testRank` is its place on test, from 1. */
  chosen: (VariedValues & { trainFigures: Figures; testFigures: Figures; testRank: number }) | null;
  inSample: Summary;
  outOfSample: Summary;
}

/** The JSON document of a search. It does not depend on the number of workers. */
export interface OptimiseDocument {
  pairs: string[];
  /** Title of the venue, its environment included. */
  venue: string;
  /** Describes the source of the prices and the account. */
  money: string;
  strategy: string;
  /** Open time of the first candle and close time of the last one, ms. */
  from: number;
  to: number;
  by: string;
  minTrades: number;
  axes: readonly Axis[];
  /** Number of all combinations, of the invalid ones among those checked, of those to try, and of those tried. */
  combinations: number;
  refused: number;
  chosen: number;
  tried: number;
  /** Number of combinations drawn and the seed; null when all were used. */
  sample: { count: number; seed: number } | null;
  /** False when the search was stopped. */
  complete: boolean;
  /** All sets: over all candles, or over all trains. */
  inSample: Summary;
  /** All sets over all tests; null without a walk-forward. */
  outOfSample: Summary | null;
  /** The best sets over all candles; with a walk-forward the windows are more meaningful. */
  top: RankedSet[];
  walkForward: { windows: WindowReport[]; total: WalkForwardTotal } | null;
}

/** A search and its results. */
export interface Search {
  readonly pairs: readonly string[];
  /** Id of the venue. */
  readonly venue: string;
  readonly prices: PriceSource;
  readonly strategy: string;
  readonly span: TimeRange;
  readonly space: Space;
  readonly selection: Selection;
  readonly sample: { count: number; seed: number } | null;
  readonly aim: Objective;
  /** The name of the metric on the command line. */
  readonly by: string;
  /** None without a walk-forward. */
  readonly windows: readonly Window[];
}

/**
 * Ranks what was found.
 *
 * @param found figures by combination: of all candles, or of train and test of each window, in turn
 * @param count number of the best sets to list
 */
export function optimiseDocument(
  search: Search,
  found: ReadonlyMap<number, readonly Figures[]>,
  count: number,
): OptimiseDocument {
  const { space, selection, aim, windows } = search;
  // In the order of the combinations, so that the result does not depend on the timing of workers.
  const indices = selection.indices.filter((index) => found.has(index));
  const figuresAt = (stretch: number) => indices.map((index) => found.get(index)?.[stretch] as Figures);
  const walked = windows.length > 0;
  const trains = windows.map((_, w) => figuresAt(2 * w));
  const tests = windows.map((_, w) => figuresAt(2 * w + 1));
  const whole = walked ? [] : figuresAt(0);
  return {
    pairs: [...search.pairs],
    venue: venueTitle(search.venue).en,
    money: backtestMoney(search.venue, search.prices).en,
    strategy: search.strategy,
    ...search.span,
    by: search.by,
    minTrades: aim.minTrades,
    axes: space.axes,
    combinations: sizeOf(space),
    refused: selection.refused,
    chosen: selection.indices.length,
    tried: indices.length,
    sample: search.sample,
    complete: indices.length === selection.indices.length,
    inSample: summaryOf(walked ? trains.flat() : whole, aim),
    outOfSample: walked ? summaryOf(tests.flat(), { ...aim, minTrades: 0 }) : null,
    top: rankingOf(whole, aim)
      .slice(0, count)
      .map((place, i) => {
        const figures = whole[place] as Figures;
        return {
          rank: i + 1,
          ...pointAt(space, indices[place] as number),
          score: scoreOf(figures, aim),
          figures,
        };
      }),
    walkForward: walked ? walkForwardOf(search, indices, trains, tests) : null,
  };
}

function walkForwardOf(
  { windows, aim, space }: Search,
  indices: readonly number[],
  trains: readonly (readonly Figures[])[],
  tests: readonly (readonly Figures[])[],
): NonNullable<OptimiseDocument['walkForward']> {
  const reports = windows.map((window, w): WindowReport => {
    const [train = [], test = []] = [trains[w], tests[w]];
    const { chosen, testRank, inSample, outOfSample } = judgeWindow(window, train, test, aim);
    return {
      ...window,
      chosen:
        chosen === null || testRank === null
          ? null
          : {
              ...pointAt(space, indices[chosen] as number),
              trainFigures: train[chosen] as Figures,
              testFigures: test[chosen] as Figures,
              testRank,
            },
      inSample,
      outOfSample,
    };
  });
  const total = totalOf(
    reports.map(({ chosen }) => chosen && { train: chosen.trainFigures, test: chosen.testFigures }),
  );
  return { windows: reports, total };
}
