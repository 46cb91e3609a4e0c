import { runTimeline, type TimelineSetup } from '../backtest/backtest.ts';
import { type BacktestTimeline, endOf } from '../backtest/backtestTimeline.ts';
import { exact, fromUnits, toUnits } from '../money/units.ts';
import { annualReturn } from '../report/annualReturn.ts';
import { calmar } from '../report/calmar.ts';
import { returnsOf } from '../report/dailyReturns.ts';
import { maxDrawdown } from '../report/maxDrawdown.ts';
import type { Metrics } from '../report/metrics.ts';
import { gainsOverLosses } from '../report/profitFactor.ts';
import { sharpe } from '../report/sharpe.ts';
import { sortino } from '../report/sortino.ts';
import type { BotObserver } from '../state/botObserver.ts';
import type { PairState } from '../state/botState.ts';
import type { ClosedPosition } from '../state/closedPosition.ts';
import { silentObserver } from '../state/silentObserver.ts';
import { equityFold, lastStepsOfDays } from './equityFold.ts';

/** Figures of a run for comparing parameter sets, equal to those of its report. */
export type Figures = Pick<
  Metrics,
  | 'netProfit'
  | 'netProfitPercent'
  | 'annualReturn'
  | 'maxDrawdown'
  | 'sharpe'
  | 'sortino'
  | 'calmar'
  | 'profitFactor'
  | 'trades'
  | 'wins'
  | 'losses'
>;

/** A timeline for running many parameter sets, with the data that the runs share. */
export interface Track {
  readonly course: BacktestTimeline;
  /** The last step of each day. */
  readonly lastSteps: Int32Array;
  /** Buffer for the equity curve of runs over several pairs; null for one pair. */
  readonly room: Float64Array | null;
}

export function trackOf(timeline: BacktestTimeline): Track {
  const single = timeline.pairs.length === 1;
  return {
    course: timeline,
    lastSteps: lastStepsOfDays(timeline),
    room: single ? null : new Float64Array(timeline.time.length),
  };
}

/** Runs one parameter set with the whole engine and returns only its figures. */
export function figuresOf(track: Track, setup: TimelineSetup): Figures {
  const { time, begin } = track.course;
  const start = toUnits(setup.options.currency_capital);
  const results = createResultsObserver();
  const { bot, end, dayEnds, drawdown } = runTrack(track, setup, start, results);
  const duration = time.length > begin ? endOf(track.course) - (time[begin] as number) : 0;
  const yearly = annualReturn(start, end, duration);
  const returns = returnsOf(dayEnds, start);
  return {
    netProfit: fromUnits(exact(end - start)),
    netProfitPercent: start === 0 ? 0 : (100 * (end - start)) / start,
    annualReturn: yearly,
    maxDrawdown: drawdown,
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    calmar: calmar(yearly, drawdown),
    profitFactor: gainsOverLosses(results.gains, results.losses),
    trades: bot.state.trades,
    wins: bot.state.wins,
    losses: bot.state.losses,
  };
}

function runTrack(
  { course: timeline, lastSteps, room }: Track,
  setup: TimelineSetup,
  start: number,
  observer: BotObserver,
) {
  if (room === null) {
    const fold = equityFold(start, lastSteps, timeline.begin);
    const { bot } = runTimeline(timeline, setup, observer, fold.watch);
    return { bot, end: fold.end(), dayEnds: fold.dayEnds, drawdown: fold.maxDrawdown() };
  }
  room.fill(0);
  const { bot } = runTimeline(timeline, setup, observer, room);
  const dayEnds = Array.from(lastSteps, (step) => room[step] as number);
  return { bot, end: dayEnds.at(-1) ?? start, dayEnds, drawdown: maxDrawdown(room.subarray(timeline.begin)) };
}

interface Results {
  gains: number;
  losses: number;
}

/** Creates an observer that sums gains and losses of closed positions. Its functions are shared, as in `createRecordObserver`. */
function createResultsObserver(): BotObserver & Results {
  return { ...silentObserver, gains: 0, losses: 0, positionClosed: addResult, closedChanged: changeResult };
}

function changeResult(this: Results, _pair: PairState, { net }: ClosedPosition, before: ClosedPosition): void {
  if (before.net > 0) this.gains -= before.net;
  else this.losses += before.net;
  if (net > 0) this.gains += net;
  else this.losses -= net;
}

function addResult(this: Results, _pair: PairState, { net }: ClosedPosition): void {
  if (net > 0) this.gains += net;
  else this.losses -= net;
}
