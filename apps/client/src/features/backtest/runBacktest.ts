import { botCalls } from '@heron/contract/bots/calls.ts';
import { stepAt } from '@heron/engine/backtest/backtestTimeline.ts';
import { sliceCandles } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { buyAndHold } from '@heron/engine/report/buyAndHold.ts';
import type { Worth } from '../../entities/bot/equity/worth.ts';
import { ask } from '../../lib/server.ts';
import type { BacktestPlan, BacktestSpan } from './backtestPlan.ts';
import { curveOf } from './curveOf.ts';
import { fetchPast, type PastSource } from './fetchPast.ts';
import { firstTrade } from './firstTrade.ts';
import { type Missing, missingOf } from './missing.ts';
import { type BacktestRun, runInWorker } from './runInWorker.ts';
import { type TradedFigures, tradedFigures } from './tradedFigures.ts';

/** Holds the result of a backtest. */
export interface BacktestResult {
  readonly plan: BacktestPlan;
  readonly document: BacktestRun['document'];
  readonly worth: readonly Worth[];
  /** Return of buy and hold, percent. Each pair counts from its own first possible trade. */
  readonly buyAndHold: number;
  readonly traded: TradedFigures;
  /** Paired bot host that fetched the candles; null for this Heron's own host. */
  readonly host: string | null;
  /** Tick size of each pair, exact decimal text. */
  readonly ticks: Readonly<Record<string, string>>;
  readonly missing: readonly Missing[];
}

/** Describes the progress of a backtest. It fetches candles first and then runs over them. */
export interface BacktestProgress {
  readonly step: 'fetching' | 'running';
  readonly done: number;
  readonly all: number;
}

/**
 * Describes a backtest: a checked setup, its plan and span, and the paired bot host that fetches the candles (null for this Heron's
 * own host).
 */
export interface BacktestTask {
  readonly setup: Setup;
  readonly plan: BacktestPlan;
  /** The span as it was chosen. */
  readonly span: BacktestSpan;
  readonly host: string | null;
}

/**
 * Fetches candles and runs a setup over them. The bot host keeps fetched candles, so a repeated run after a cancellation
 * fetches only the missing ones.
 *
 * @throws ApiError, NoAnswer, Error when the run fails; the reason of `stop` when it is stopped
 */
export async function runBacktest(
  { setup, plan, host }: BacktestTask,
  stop: AbortSignal,
  progress: (state: BacktestProgress) => void,
): Promise<BacktestResult> {
  progress({ step: 'fetching', done: 0, all: plan.candles });
  const pairs = await fetchPast(plan, sourceOf(setup.options.exchange, host, stop), stop, (done) =>
    progress({ step: 'fetching', done, all: plan.candles }),
  );
  progress({ step: 'running', done: 0, all: 1 });
  const run = await runInWorker({ pairs, options: setup.options, params: setup.params }, stop, (done, all) =>
    progress({ step: 'running', done, all }),
  );
  const stepMs = PERIODS[plan.period];
  const timed = pairs.map((pair) => ({ ...pair, trades: firstTrade(pair, setup, plan) }));
  const first = Math.min(...timed.map(({ trades }) => trades ?? plan.to));
  const start = first < plan.to ? first : plan.begin;
  return {
    plan,
    host,
    document: run.document,
    traded: tradedFigures(run, start),
    worth: curveOf(run, start),
    ticks: Object.fromEntries(pairs.map(({ market }) => [market.pair, formatUnits(market.tick)])),
    buyAndHold: buyAndHold(
      timed.map(({ candles, trades }) =>
        sliceCandles(candles, trades === null ? candles.length : stepAt(candles.time, trades), candles.length),
      ),
    ),
    missing: timed.flatMap(
      ({ market, candles, trades }) => missingOf(market.pair, candles, stepMs, plan, trades) ?? [],
    ),
  };
}

function sourceOf(venue: VenueId, host: string | null, stop: AbortSignal): PastSource {
  return {
    candles: (pair, period, from, to) => ask(botCalls.pastCandles, { query: { venue, pair, period, from, to }, host }),
    terms: (pair, from, to) => ask(botCalls.marketTerms, { query: { venue, pair, from, to }, host }),
    pause: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          stop.removeEventListener('abort', end);
          resolve();
        };
        // The server gives the delay. A cancelled backtest does not wait.
        const timer = setTimeout(end, ms);
        stop.addEventListener('abort', end);
      }),
  };
}
