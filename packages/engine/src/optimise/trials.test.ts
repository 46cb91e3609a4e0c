import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../../test/arbitraries.ts';
import { START } from '../../test/harness.ts';
import { RUNS } from '../../test/invariants/runs.ts';
import { inputOf, randomBacktest } from '../../test/randomBacktest.ts';
import { runBacktest } from '../backtest/backtest.ts';
import type { BacktestPair } from '../backtest/backtestPair.ts';
import { createBacktestTimeline, cutTimeline } from '../backtest/backtestTimeline.ts';
import { candleColumns } from '../market/candle.ts';
import type { Market } from '../market/market.ts';
import { PERIODS, type Period } from '../market/period.ts';
import { metricsOf } from '../report/metrics.ts';
import { allCombinations } from './allCombinations.ts';
import { figuresOf, trackOf } from './figures.ts';
import { type Space, setupAt, spaceOf } from './space.ts';
import { trialsOf } from './trials.ts';
import type { TimeRange } from './walkForward.ts';

const HOUR = 3_600_000;

/** Creates hourly candles that oscillate with a rising trend. */
function swings(length: number): BacktestPair {
  const candles = candleColumns(length);
  for (let i = 0; i < length; i++) {
    const at = (hour: number) => Math.round(100 * (100 + 10 * Math.sin(hour / 9) + 4 * Math.sin(hour / 2.3))) / 100;
    const [open, close] = [at(i), at(i + 1)];
    candles.time[i] = START + i * HOUR;
    candles.open[i] = open;
    candles.close[i] = close;
    candles.high[i] = Math.max(open, close) + 0.1;
    candles.low[i] = Math.min(open, close) - 0.1;
    candles.volume[i] = 1;
  }
  return { market: MARKETS[0] as Market, candles, candleMs: HOUR };
}

const pair = swings(600);
const space = spaceOf(
  {
    options: { strategy: 'ema_cross', order_type: 'taker', min_periods: 18, watch_pairs: 'BTC-USDT' },
    params: {},
  },
  [
    { kind: 'param', name: 'fast', values: [2, 3, 5] },
    { kind: 'param', name: 'slow', values: [4, 8, 20] },
    { kind: 'option', name: 'buy_pct', values: [5, 50] },
    { kind: 'option', name: 'period', values: ['1h', '2h'] },
  ],
);
const courses = new Map(
  ['1h', '2h'].map((period) => [period, createBacktestTimeline([pair], PERIODS[period as Period], true)]),
);

function setupOf(of: Space, index: number) {
  const setup = setupAt(of, index);
  if (!setup.ok) throw new Error('refused');
  return setup;
}

describe('the figures of a set', () => {
  test('equal those of its whole backtest exactly, for any market, rules and pairs', () => {
    const seen = { trades: 0, drawdowns: 0, several: 0 };
    fc.assert(
      fc.property(randomBacktest, (given) => {
        const input = inputOf(given);
        const metrics = metricsOf(runBacktest(input), input.pairs);
        const timeline = createBacktestTimeline(
          input.pairs,
          PERIODS[input.options.period as Period],
          input.detail ?? true,
        );
        const figures = figuresOf(trackOf(timeline), input);
        expect(metrics).toMatchObject(figures);
        seen.trades += figures.trades;
        seen.drawdowns += figures.maxDrawdown > 0 ? 1 : 0;
        seen.several += input.pairs.length > 1 ? 1 : 0;
      }),
      { numRuns: RUNS },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  }, 300_000);

  test('equal those of its whole backtest for grid and DCA too', () => {
    const gridSpace = spaceOf(
      { options: { strategy: 'grid', stop_sell: [], watch_pairs: 'BTC-USDT' }, params: { range_pct: 30 } },
      [
        { kind: 'param', name: 'levels', values: [4, 8, 12] },
        { kind: 'option', name: 'period', values: ['1h', '2h'] },
      ],
    );
    const { indices } = allCombinations(gridSpace);
    expect(indices).toHaveLength(6);
    const trials = trialsOf(courses, [], true);
    for (const index of indices) {
      const setup = setupOf(gridSpace, index);
      const [figures] = trials.figures(setup);
      expect(figures?.trades).toBeGreaterThan(10);
      expect(metricsOf(runBacktest({ pairs: [pair], ...setup }), [pair])).toMatchObject(figures as object);
    }
  });

  test('do not depend on the sets tried before, so that work may be split', () => {
    const { indices } = allCombinations(space);
    const stretches: TimeRange[] = [
      { from: START, to: START + 300 * HOUR },
      { from: START + 300 * HOUR, to: START + 500 * HOUR },
    ];
    for (const parts of [[], stretches]) {
      const all = trialsOf(courses, parts, true);
      const wanted = indices.map((index) => all.figures(setupOf(space, index)));
      expect(new Set(wanted.map((each) => JSON.stringify(each))).size).toBe(indices.length);
      fc.assert(
        fc.property(fc.shuffledSubarray([...indices], { minLength: 1 }), fc.boolean(), (some, neighbours) => {
          const trials = trialsOf(courses, parts, neighbours);
          for (const index of some) {
            expect(trials.figures(setupOf(space, index))).toEqual(wanted[indices.indexOf(index)]);
          }
        }),
        { numRuns: 20 },
      );
    }
  });
});

describe('a stretch', () => {
  const setup = setupOf(space, allCombinations(space).indices[0] as number);
  const timeline = courses.get(setup.options.period) as ReturnType<typeof createBacktestTimeline>;

  test('that contains all candles is the whole timeline', () => {
    const whole = cutTimeline(timeline, -Infinity, Infinity);
    expect(figuresOf(trackOf(whole), setup)).toEqual(figuresOf(trackOf(timeline), setup));
  });

  test('is not changed by what comes after it', () => {
    const cut = cutTimeline(timeline, START + 100 * HOUR, START + 400 * HOUR);
    const short = createBacktestTimeline([swings(400)], timeline.periodMs, true);
    const same = cutTimeline(short, START + 100 * HOUR, Infinity);
    const figures = figuresOf(trackOf(cut), setup);
    expect(figures.trades).toBeGreaterThan(10);
    expect(figuresOf(trackOf(same), setup)).toEqual(figures);
  });

  test('begins with a strategy that knows the earlier candles, and with full capital', () => {
    const from = START + 300 * HOUR;
    const warm = figuresOf(trackOf(cutTimeline(timeline, from, from + 15 * HOUR)), setup);
    // Fifteen candles are fewer than the warm-up, so alone they cause no trade.
    const alone = sliceOf(pair, 300, 315);
    expect(figuresOf(trackOf(createBacktestTimeline([alone], timeline.periodMs, true)), setup).trades).toBe(0);
    expect(warm.trades).toBeGreaterThan(0);
  });
});

function sliceOf(of: BacktestPair, from: number, to: number): BacktestPair {
  const { candles } = of;
  const columns = Object.entries(candles).map(([name, column]) => [
    name,
    column instanceof Float64Array ? column.slice(from, to) : to - from,
  ]);
  return { ...of, candles: Object.fromEntries(columns) };
}
