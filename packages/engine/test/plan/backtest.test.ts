import { runBacktest } from '@heron/engine/backtest/backtest.ts';
import type { FundingColumns } from '@heron/engine/backtest/backtestPair.ts';
import { fillsOf } from '@heron/engine/backtest/runRecord.ts';
import type { Grid } from '@heron/engine/grid/grid.ts';
import { gridCycles } from '@heron/engine/grid/grid.ts';
import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { fromUnits } from '@heron/engine/money/units.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import { strategyOf } from '@heron/engine/strategies/catalogue.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MARKETS } from '../arbitraries.ts';
import { type Bar, bars } from '../candleSeries.ts';
import { options } from '../harness.ts';
import { RUNS } from '../invariants/runs.ts';

const SOL = MARKETS[2] as Market;
const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;
/** Number of warm-up candles before the first one of a test. */
const WARM = 18;

type Row = readonly [open: number, high: number, low: number, close: number];

function candlesOf(rows: readonly Row[]): CandleColumns {
  const columns = candleColumns(rows.length);
  rows.forEach(([open, high, low, close], i) => {
    columns.time[i] = START + i * MINUTE;
    columns.open[i] = open;
    columns.high[i] = high;
    columns.low[i] = low;
    columns.close[i] = close;
    columns.volume[i] = 1;
  });
  return columns;
}

function run(
  strategy: string,
  params: Params,
  rows: readonly Row[],
  given: Parameters<typeof options>[0] = {},
  funding?: FundingColumns,
) {
  const still = rows[0]?.[0] ?? 100;
  const candles = candlesOf([...Array.from({ length: WARM }, (): Row => [still, still, still, still]), ...rows]);
  const result = runBacktest({
    pairs: [{ market: SOL, candles, candleMs: MINUTE, ...(funding ? { funding } : {}) }],
    options: options({
      strategy,
      period: '1m',
      min_periods: WARM,
      watch_pairs: 'SOL-USDT',
      order_type: 'taker',
      avg_slippage_pct: 0,
      stop_sell: [],
      buy_pct: 50,
      ...given,
    }),
    params: strategyOf(strategy, params).params,
  });
  const fills = [...fillsOf(result.record)].map((fill) => ({
    candle: (fill.at - START) / MINUTE - WARM,
    does: `${fill.side} ${fromUnits(fill.price)}`,
    reason: fill.reason,
  }));
  return { result, fills, pair: result.bot.state.pairs[0] };
}

const FOUR = { lower: 90, upper: 110, spacing: 'arithmetic', levels: 4 };

describe('a grid in a backtest', () => {
  test('walks open, low, high, close; orders fill strictly through their price', () => {
    // The last warm-up candle plans the grid; the base order fills at the open of the next one.
    const { fills, pair } = run('grid', FOUR, [
      [100, 100, 100, 100],
      // The low of 94.99 fills the buy at 95; the high of 105 only touches; the close above 100 fills the sell of that cell.
      [100, 105, 94.99, 101],
      // The low only touches 95 and fills nothing; the high trades through 105.
      [101, 105.01, 95, 104],
    ]);
    expect(fills).toEqual([
      { candle: 0, does: 'buy 100', reason: PLAN_REASON },
      { candle: 1, does: 'buy 95', reason: PLAN_REASON },
      { candle: 1, does: 'sell 100', reason: PLAN_REASON },
      { candle: 2, does: 'sell 105', reason: PLAN_REASON },
    ]);
    expect(gridCycles(pair?.orderPlan as Grid)).toBe(2);
  });

  test('buys on the way down are sold on the way up, and bought again before the close', () => {
    const { fills } = run('grid', FOUR, [
      [100, 100, 100, 100],
      [100, 111, 89, 94],
    ]);
    expect(fills.slice(1).map(({ does }) => does)).toEqual([
      ...['buy 95', 'buy 90'],
      ...['sell 95', 'sell 100', 'sell 105', 'sell 110'],
      ...['buy 105', 'buy 100', 'buy 95'],
    ]);
  });

  test('a stop on the way down cancels lower orders and sells at its level', () => {
    const { fills, pair } = run(
      'grid',
      FOUR,
      [
        [100, 100, 100, 100],
        [100, 101, 80, 100],
        [100, 120, 80, 100],
      ],
      { stop_sell: [{ profit: 7, stop: 100 }] },
    );
    // The stop is at 93 until 95 has filled, then E is 98.2 and the stop is at 91.3, above the order at 90.
    expect(fills.map(({ does }) => does.split('.')[0])).toEqual(['buy 100', 'buy 95', 'sell 91']);
    expect(fills.at(-1)?.reason).toBe('stop_sell');
    expect(pair).toMatchObject({ paused: 'stop_sell', orderPlan: null, planOrders: [], position: null });
  });

  test('above the range it is placed again where the price closes', () => {
    const { pair } = run('grid', { ...FOUR, recentre: true }, [
      [100, 100, 100, 100],
      [100, 116, 100, 116],
      [116, 116, 116, 116],
    ]);
    const grid = pair?.orderPlan as Grid;
    expect([grid.laid, fromUnits(grid.levels[0] as number), grid.cyclesBefore]).toEqual([2, 106, 2]);
  });

  test('equity is cash and coins at every close', () => {
    const { result } = run('grid', FOUR, [
      [100, 100, 100, 100],
      [100, 105.5, 94, 101],
      [101, 101, 96, 97],
    ]);
    const { wallet, pairs } = result.bot.state;
    const held = (pairs[0]?.holding.quantity ?? 0) / 10 ** SOL.assetDecimals;
    expect((result.equity.at(-1) ?? 0) / 1e8).toBeCloseTo(fromUnits(wallet.quote) + held * 97, 6);
  });
});

describe('averaging in a backtest', () => {
  test('safety orders work from the base fill on, and the exit follows the average', () => {
    const { fills, pair } = run('dca', { start: 'now', pause: 100 }, [
      [100, 100, 100, 100],
      // The low trades through 98 and 95.6; the target falls to 97.5077 · 1.015 = 98.97, which the high only touches.
      [100, 98.97, 95.5, 97],
    ]);
    expect(fills.map(({ does }) => does)).toEqual(['buy 100', 'buy 98', 'buy 95.6']);
    expect(pair?.planOrders.find(({ planKey }) => planKey === 'exit')?.firstPrice).toBe(98.97e8);
    const sold = run('dca', { start: 'now', pause: 100 }, [
      [100, 100, 100, 100],
      [100, 98.98, 95.5, 97],
    ]);
    expect(sold.fills.at(-1)).toEqual({ candle: 1, does: 'sell 98.97', reason: PLAN_REASON });
    expect(sold.pair).toMatchObject({ orderPlan: null, planOrders: [], position: null });
  });

  test('trailing activates on the way up and sells at its price on the way down', () => {
    const { fills } = run('dca', { start: 'now', pause: 100, trailing: 1 }, [
      [100, 100, 100, 100],
      [100, 104, 100, 101],
    ]);
    // The best price is 104; one percent below it is 102.96.
    expect(fills.map(({ does }) => does)).toEqual(['buy 100', 'sell 102.96']);
  });

  test('periodic entries are made during an open position', () => {
    const rows = Array.from({ length: 20 }, (): Row => [100, 100, 100, 100]);
    const { fills } = run('dca', { mode: 'periodic', every: 5, amount: 100 }, rows);
    expect(fills.map(({ candle }) => candle)).toEqual([2, 7, 12, 17]);
    expect(fills.every(({ does }) => does === 'buy 100')).toBe(true);
  });
});

const planSetups = fc.oneof(
  fc.record({
    strategy: fc.constant('grid'),
    params: fc.record({
      range_pct: fc.integer({ min: 1, max: 10 }),
      levels: fc.integer({ min: 2, max: 8 }),
      initial_buy: fc.boolean(),
      recentre: fc.boolean(),
    }),
  }),
  fc.record({
    strategy: fc.constant('dca'),
    params: fc.record({
      start: fc.constant('now'),
      step: fc.integer({ min: 2, max: 30 }).map((tenths) => tenths / 10),
      take_profit: fc.integer({ min: 2, max: 30 }).map((tenths) => tenths / 10),
      trailing: fc.constantFrom(0, 0, 0.5),
    }),
  }),
);

const walk = bars(30, 200).filter((rows) => rows.every(([open]) => open > 1 && open < 1e6));
const rowsOf = (given: readonly Bar[]): Row[] =>
  given.map(([open, high, low, close]) => {
    const tick = (price: number) => Math.round(price * 100) / 100;
    return [tick(open), tick(high), tick(low), tick(close)];
  });

describe('skipping candles', () => {
  test('changes nothing: payments of nothing at every candle, which skip none, agree', () => {
    let fills = 0;
    fc.assert(
      fc.property(planSetups, walk, fc.constantFrom('only_long', 'only_short'), (setup, given, market) => {
        const rows = rowsOf(given);
        const futures = { exchange: 'binanceusdm', leverage: 3, market, stop_sell: [{ profit: 9, stop: 100 }] };
        const count = rows.length + WARM;
        const nothing: FundingColumns = {
          time: Float64Array.from({ length: count }, (_, i) => START + i * MINUTE),
          rate: new Float64Array(count),
          mark: new Float64Array(count),
        };
        const over = run(setup.strategy, setup.params, rows, futures);
        const none = run(setup.strategy, setup.params, rows, futures, nothing);
        // After a funding payment later shares use the current margin, which changes the rounding of the last digits.
        expect(over.fills).toHaveLength(none.fills.length);
        over.fills.forEach((fill, i) => {
          const [side, price] = fill.does.split(' ');
          const [otherSide, otherPrice] = none.fills[i]?.does.split(' ') ?? [];
          expect([fill.candle, fill.reason, side]).toEqual([none.fills[i]?.candle, none.fills[i]?.reason, otherSide]);
          expect(Math.abs(Number(price) - Number(otherPrice))).toBeLessThan(1e-4);
        });
        const off = over.result.equity.findIndex((value, i) => Math.abs(value - (none.result.equity[i] ?? 0)) > 1e4);
        expect(off).toBe(-1);
        fills += over.fills.length;
      }),
      { numRuns: RUNS / 2 },
    );
    expect(fills).toBeGreaterThan(RUNS);
  });

  test('candles that stand still between others bring no fills', () => {
    fc.assert(
      fc.property(planSetups, walk, fc.integer({ min: 1, max: 4 }), (setup, given, times) => {
        const rows = rowsOf(given);
        const params = { ...setup.params, ...(setup.strategy === 'dca' ? { pause: 1_000 } : {}) };
        const still = rows.flatMap((row): Row[] => [
          row,
          ...Array.from({ length: times }, (): Row => [row[3], row[3], row[3], row[3]]),
        ]);
        const plain = run(setup.strategy, params, [[rows[0]?.[0] ?? 100, ...firstOf(rows)], ...rows]);
        const slow = run(setup.strategy, params, [[rows[0]?.[0] ?? 100, ...firstOf(rows)], ...still]);
        // Both runs place a gap between two candles before the next candle.
        if (rows.some(([open], i) => i > 0 && open !== rows[i - 1]?.[3])) return;
        expect(slow.fills.map(({ does }) => does)).toEqual(plain.fills.map(({ does }) => does));
      }),
      { numRuns: RUNS / 2 },
    );
  });
});

/** Returns high, low and close of a flat candle at the open of the first one. */
function firstOf(rows: readonly Row[]): [number, number, number] {
  const open = rows[0]?.[0] ?? 100;
  return [open, open, open];
}
