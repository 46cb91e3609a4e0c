import { botCalls } from '@heron/contract/bots/calls.ts';
import { sliceCandles } from '@heron/engine/market/candle.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import type { Setup } from '@heron/engine/options/setup.ts';
import { buyAndHold } from '@heron/engine/report/buyAndHold.ts';
import { stepAt } from '@heron/engine/simulate/course.ts';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../../../lib/server.ts';
import type { Worth } from '../bot/results/worth.ts';
import type { BacktestPlan } from './backtestPlan.ts';
import { curveOf } from './curveOf.ts';
import { fetchPast, type PastSource } from './fetchPast.ts';
import { firstTrade } from './firstTrade.ts';
import { type Missing, missingOf } from './missing.ts';
import { type BacktestRun, runInWorker } from './runInWorker.ts';

/** What came of a backtest. */
export interface BacktestResult {
  readonly plan: BacktestPlan;
  readonly document: BacktestRun['document'];
  readonly worth: readonly Worth[];
  /** Of the time in which it could trade, each pair from its own first moment, percent. */
  readonly buyAndHold: number;
  readonly missing: readonly Missing[];
}

/** Where a backtest stands. Candles first, then the run over them. */
export type BacktestState =
  | { readonly step: 'idle' }
  | { readonly step: 'fetching' | 'running'; readonly done: number; readonly all: number }
  | { readonly step: 'done'; readonly result: BacktestResult }
  | { readonly step: 'failed'; readonly error: unknown };

/** A backtest at a time, which ends with its screen. @param onDone told of each that came to its end */
export function useBacktest(onDone: (result: BacktestResult) => void) {
  const [state, setState] = useState<BacktestState>({ step: 'idle' });
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  async function start(setup: Setup, plan: BacktestPlan, host: string | null) {
    going.current?.abort();
    const stop = new AbortController();
    going.current = stop;
    const tell = (next: BacktestState) => {
      if (!stop.signal.aborted) setState(next);
    };
    try {
      tell({ step: 'fetching', done: 0, all: plan.candles });
      const pairs = await fetchPast(plan, sourceOf(setup.options.exchange, host, stop.signal), stop.signal, (done) =>
        tell({ step: 'fetching', done, all: plan.candles }),
      );
      tell({ step: 'running', done: 0, all: 1 });
      const run = await runInWorker({ pairs, options: setup.options, params: setup.params }, stop.signal, (done, all) =>
        tell({ step: 'running', done, all }),
      );
      const stepMs = PERIODS[plan.period];
      const timed = pairs.map((pair) => ({ ...pair, trades: firstTrade(pair, setup, plan) }));
      const first = Math.min(...timed.map(({ trades }) => trades ?? plan.to));
      const result: BacktestResult = {
        plan,
        document: run.document,
        worth: curveOf(run, first < plan.to ? first : plan.begin),
        buyAndHold: buyAndHold(
          timed.map(({ candles, trades }) =>
            sliceCandles(candles, trades === null ? candles.length : stepAt(candles.time, trades), candles.length),
          ),
        ),
        missing: timed.flatMap(
          ({ market, candles, trades }) => missingOf(market.pair, candles, stepMs, plan, trades) ?? [],
        ),
      };
      tell({ step: 'done', result });
      if (!stop.signal.aborted) onDone(result);
    } catch (error) {
      tell({ step: 'failed', error });
    }
  }

  function cancel() {
    going.current?.abort();
    setState({ step: 'idle' });
  }

  return { state, start, cancel };
}

function sourceOf(exchange: string, host: string | null, stop: AbortSignal): PastSource {
  return {
    candles: (pair, period, from, to) =>
      ask(botCalls.pastCandles, { query: { exchange, pair, period, from, to }, host }),
    terms: (pair, from, to) => ask(botCalls.marketTerms, { query: { exchange, pair, from, to }, host }),
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        stop.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
