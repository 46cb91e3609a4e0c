import { describe, expect, test } from 'vitest';
import { options, START } from '../../test/harness.ts';
import { type CandleColumns, candleColumns, sliceCandles } from '../market/candle.ts';
import { marketOf } from '../market/market.ts';
import { fromUnits } from '../money/units.ts';
import { metricsOf } from '../report/metrics.ts';
import { runBacktest } from './backtest.ts';
import type { FundingColumns } from './backtestPair.ts';
import { fillsOf, positionsOf, tradesOf } from './runRecord.ts';

const market = marketOf({
  pair: 'SOL-USDT',
  tickSize: 0.01,
  stepSize: 0.001,
  minQuantity: 0.001,
  maxQuantity: 1e6,
  minNotional: 5,
});
const MINUTE = 60_000;

/** Twenty flat candles at 100, then the given `[open, high, low, close]` rows. */
function candlesOf(rows: [number, number, number, number][]): CandleColumns {
  const all = [...Array.from({ length: 20 }, (): [number, number, number, number] => [100, 100, 100, 100]), ...rows];
  const columns = candleColumns(all.length);
  all.forEach(([open, high, low, close], i) => {
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
  rows: [number, number, number, number][],
  given: Parameters<typeof options>[0] = {},
  funding?: FundingColumns,
) {
  const candles = candlesOf(rows);
  const result = runBacktest({
    pairs: [{ market, candles, candleMs: MINUTE, ...(funding ? { funding } : {}) }],
    options: options({ strategy: 'ema_cross', period: '1m', min_periods: 18, watch_pairs: 'SOL-USDT', ...given }),
    params: { fast: 2, slow: 3, band: 0 },
  });
  const fills = [...fillsOf(result.record)].map((fill) => ({
    candle: (fill.at - START) / MINUTE - 20,
    side: fill.side,
    price: fromUnits(fill.price),
    quantity: fromUnits(fill.quantity, market.assetDecimals),
    fee: fromUnits(fill.fee, fill.feeAsset === 'SOL' ? market.assetDecimals : 8),
    liquidity: fill.liquidity,
    reason: fill.reason,
  }));
  return { candles, result, fills, end: fromUnits(result.equity.at(-1) ?? 0) };
}

const NO_TABLES = { stop_sell: [], profit_win: [], profit_callback: [] };

describe('backtest fills', () => {
  test("a maker buys at the signal's close once a later candle trades strictly below it", () => {
    // Candle 0 closes at 110: the fast average crosses up. Candle 1 only touches 110, candle 2 trades below.
    const { fills, end } = run([
      [100, 110, 100, 110],
      [111, 112, 110, 110],
      [111, 112, 109.99, 111],
    ]);
    // 10,000 · 20 % / 1.001 / 110 = 18.1636 …, fee 0.1 % of it in SOL.
    expect(fills).toEqual([
      { candle: 2, side: 'buy', price: 110, quantity: 18.163, fee: 0.018163, liquidity: 'maker', reason: 'signal' },
    ]);
    expect(end).toBe(8_002.07 + 18.144837 * 111);
  });

  test('a taker buys at the next open plus the average slippage', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110.2, 112, 110, 111],
      ],
      { order_type: 'taker' },
    );
    // Sized at the worst accepted price 110 · 1.005 = 110.55: 1998.001998 / 110.55 = 18.0732…
    expect(fills).toEqual([
      {
        candle: 1,
        side: 'buy',
        price: 110.24959,
        quantity: 18.073,
        fee: 0.018073,
        liquidity: 'taker',
        reason: 'signal',
      },
    ]);
  });

  test('with several pairs each fill, trade and position names its pair; a fee its asset', () => {
    const candles = candlesOf([
      [100, 110, 100, 110],
      [110, 111, 110, 111],
      [111, 111, 90, 90],
      [90, 90, 90, 90],
    ]);
    const coins = ['SOL', 'ETH', 'XRP'];
    const markets = coins.map((base) => ({ ...market, base, pair: `${base}-USDT` }));
    const { record } = runBacktest({
      pairs: markets.map((of) => ({ market: of, candles, candleMs: MINUTE })),
      options: options({
        ...NO_TABLES,
        strategy: 'ema_cross',
        period: '1m',
        min_periods: 18,
        order_type: 'taker',
        max_sell_loss_pct: 0,
      }),
      params: { fast: 2, slow: 3, band: 0 },
    });
    expect([...fillsOf(record)].map(({ pair, side, feeAsset }) => [pair, side, feeAsset])).toEqual([
      ...coins.map((base) => [`${base}-USDT`, 'buy', base]),
      ...coins.map((base) => [`${base}-USDT`, 'sell', 'USDT']),
    ]);
    const byPair = new Map(markets.map((of) => [of.pair, of]));
    expect([...tradesOf(record, byPair, 'ETH-USDT')].map(({ pair, kind }) => [pair, kind])).toEqual([
      ['ETH-USDT', 'entry'],
      ['ETH-USDT', 'exit'],
    ]);
    expect([...positionsOf(record)].map(({ pair }) => pair)).toEqual(markets.map(({ pair }) => pair));
  });

  test('an open beyond the accepted price buys nothing', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110.6, 112, 110, 111],
        [111, 112, 110, 111.5],
      ],
      { order_type: 'taker' },
    );
    expect(fills).toEqual([]);
  });

  test('a stop sells at its trigger price less slippage, before the high of the candle', () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [110, 140, 104, 139],
    ]);
    // 110 · 0.95 = 104.5; · (1 − 0.00045) = 104.452975
    expect(
      fills.slice(1).map(({ candle, price, liquidity, reason }) => ({ candle, price, liquidity, reason })),
    ).toEqual([{ candle: 2, price: 104.452975, liquidity: 'taker', reason: 'stop_sell' }]);
  });

  test('a candle that opens beyond the stop sells at the open', () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [100, 101, 99, 100],
    ]);
    expect(fills[1]).toMatchObject({ candle: 2, price: 99.955, reason: 'stop_sell' });
  });

  test("the trailing stop of a high is tested at its close and at the next candle's low", () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [110, 121, 110, 120.5],
      [120, 120, 112, 113],
    ]);
    // Peak 121 is 10 %; the line is 6 %: 116.6.
    expect(fills[1]).toMatchObject({ candle: 3, reason: 'profit_callback' });
    expect(fills[1]?.price).toBeCloseTo(116.6 * (1 - 0.00045), 8);
  });

  test('a trailing stop-loss follows the best price, and acts at its price after calm candles', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110, 110, 109, 110],
        [110, 120, 110, 119],
        [119, 119.5, 117, 118],
        [118, 118, 113, 113.5],
      ],
      { ...NO_TABLES, trailing_stop: [{ profit: 5, stop: 100 }], avg_slippage_pct: 0 },
    );
    // The best price is 120.
    expect(fills.slice(1).map(({ candle, price, reason }) => [candle, price, reason])).toEqual([
      [4, 114, 'trailing_stop'],
    ]);
  });

  test('a target sells half at its price', () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [110, 133, 110, 132.5],
    ]);
    expect(fills[1]).toMatchObject({ candle: 2, reason: 'profit_win' });
    expect(fills[1]?.price).toBeCloseTo(132 * (1 - 0.00045), 8);
    // Half of 18.144837 rounded down to the step.
    expect(fills[1]?.quantity).toBe(9.072);
  });
});

describe('look-ahead', () => {
  test('I-33: removing or changing the future changes nothing before it', () => {
    const rows = Array.from({ length: 400 }, (_, i): [number, number, number, number] => {
      const open = 100 + 20 * Math.sin(i / 15) + (i % 7);
      const close = 100 + 20 * Math.sin((i + 1) / 15) + ((i + 1) % 7);
      return [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close];
    });
    const whole = run(rows);
    expect(whole.fills.length).toBeGreaterThan(20);
    for (const cut of [50, 123, 300]) {
      const part = run(rows.slice(0, cut)).fills;
      expect(whole.fills.slice(0, part.length)).toEqual(part);
      const changed = run([
        ...rows.slice(0, cut),
        ...rows.slice(cut).map((): [number, number, number, number] => [50, 50, 50, 50]),
      ]);
      expect(changed.fills.slice(0, part.length)).toEqual(part);
    }
  });
});

describe('figures of a run', () => {
  test('equal their definitions on a hand-computed case', () => {
    const { result, candles } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [110, 110, 104, 105],
    ]);
    const metrics = metricsOf(result, [{ market, candles, candleMs: MINUTE }]);
    // Cost 18.163 · 110 = 1997.93; sold 18.144 at 104.452975 less 0.1 %; 0.000837 SOL stay as dust.
    const proceeds = 18.144 * 104.452975;
    const end = 10_000 - 1_997.93 + proceeds * 0.999 + 0.000837 * 105;
    expect(metrics.netProfit).toBeCloseTo(end - 10_000, 6);
    expect(metrics).toMatchObject({ trades: 2, fills: 2, wins: 0, losses: 1, winRate: 0, profitFactor: 0 });
    expect(metrics.fees).toBeCloseTo(0.018163 * 110 + proceeds * 0.001, 6);
    expect(metrics.buyAndHoldPercent).toBeCloseTo(5, 10);
    expect(metrics.exposure).toBeCloseTo(1 / 23, 10);
    // The peak is the start capital: the first loss is the fee of the entry.
    expect(metrics.maxDrawdown).toBeCloseTo(1 - end / 10_000, 8);
    expect(sliceCandles(candles, 0, 1).length).toBe(1);
  });

  test('a year runs from the first open to the last close, with and without detail', () => {
    const DAY = 86_400_000;
    const days = candlesOf([
      [100, 110, 100, 110],
      [110, 111, 109, 110],
      ...Array.from({ length: 8 }, (): [number, number, number, number] => [120, 121, 119, 120]),
    ]);
    const hours = candleColumns(30 * 24);
    for (let i = 0; i < hours.length; i++) {
      const day = Math.floor(i / 24);
      hours.time[i] = START + i * (DAY / 24);
      for (const field of ['open', 'high', 'low', 'close', 'volume'] as const)
        hours[field][i] = days[field][day] as number;
    }
    days.time.forEach((_, i) => {
      days.time[i] = START + i * DAY;
    });
    for (const [candles, candleMs, detail] of [
      [days, DAY, true],
      [hours, DAY / 24, true],
      [hours, DAY / 24, false],
    ] as const) {
      const pairs = [{ market, candles, candleMs }];
      const given = options({ strategy: 'ema_cross', period: '1d', min_periods: 18, watch_pairs: 'SOL-USDT' });
      const run = { options: given, params: { fast: 2, slow: 3, band: 0 }, detail };
      const metrics = metricsOf(runBacktest({ pairs, ...run }), pairs);
      expect(metrics.trades).toBeGreaterThan(0);
      const yearly = (1 + metrics.netProfitPercent / 100) ** (365 / 30) - 1;
      expect(metrics.annualReturn / yearly).toBeCloseTo(1, 10);
      expect(metrics.calmar).toBe(metrics.annualReturn / metrics.maxDrawdown);
    }
  });
});

describe('inside a candle', () => {
  test('a maker entry ignores the open that came before its price', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [120, 120, 109, 109.5],
        [109.5, 109.6, 109, 109.2],
      ],
      { profit_win: [{ profit: 5, stop: 100 }], stop_sell: [] },
    );
    // Bought at 110 after the open of 120; 115.5 is reached only before it and, by its high, not after it.
    expect(fills.map(({ candle, side }) => [candle, side])).toEqual([
      [1, 'buy'],
      [1, 'sell'],
    ]);
    expect(fills[1]?.price).toBeCloseTo(115.5 * (1 - 0.00045), 6);
  });

  test('a trailing take-profit triggers at its price between the high and the close', () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [110, 110, 109, 110],
      [110, 121, 110, 112],
    ]);
    // Peak 121 is 10 %, the line 6 %: 116.6, not the close of 112.
    expect(fills[1]?.price).toBeCloseTo(116.6 * (1 - 0.00045), 8);
  });

  test('an isolated position whose margin went to funding is liquidated beyond its entry', () => {
    const { fills, result } = run(
      [
        [100, 110, 100, 110],
        [110, 150, 110, 150],
        [150, 151, 150, 150],
        [150, 150, 113, 140],
        [140, 150, 140, 150],
      ],
      { exchange: 'binanceusdm', order_type: 'taker', avg_slippage_pct: 0, ...NO_TABLES },
      // 13.5 a coin of the 11 that were set apart: liquidation comes to (110 + 2.5)/(1 − 0.5 %), the guard below it.
      {
        time: Float64Array.of(START + 22 * MINUTE),
        rate: Float64Array.of(0.09),
        mark: Float64Array.of(150),
      },
    );
    expect(fills.map(({ side, price }) => [side, price])).toEqual([['buy', 110]]);
    expect(result.record.liquidations.map(({ at, price }) => [(at - START) / MINUTE - 20, fromUnits(price)])).toEqual([
      [3, 112.5],
    ]);
  });

  test('a reversal whose exit the liquidation guard takes over does not enter again', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110, 110.1, 109.9, 110],
        [110, 110.1, 109.9, 110],
        [110, 110.1, 109.9, 110],
        [110, 110.1, 108, 108],
        [108, 108.1, 105, 105],
        [105, 105.1, 104.9, 105],
        [105, 120, 104.9, 120],
      ],
      {
        exchange: 'binanceusdm',
        market: 'both',
        leverage: 50,
        markup_sell_pct: 0.5,
        max_sell_loss_pct: 0,
        ...NO_TABLES,
      },
    );
    expect(fills.slice(0, 2).map(({ candle, side, reason }) => [candle, side, reason])).toEqual([
      [1, 'buy', 'signal'],
      [5, 'sell', 'liquidation_guard'],
    ]);
    expect(fills.filter(({ reason }) => reason === 'reverse')).toEqual([]);
  });

  test.each([
    ['profit_win', 115.5],
    ['stop_sell', 104.5],
  ])('a row of %s with a part too small to trade sells everything, like a signal exit', (table, level) => {
    const { fills, result } = run(
      [[100, 110, 100, 110], [110, 110, 109, 110], level > 110 ? [110, 132, 110, 131] : [110, 111, 100, 101]],
      { ...NO_TABLES, max_buy_size: 20, [table]: [{ profit: 5, stop: 20 }] },
    );
    // A fifth of 20 is below the least order value of 5.
    expect(fills.slice(1).map(({ candle, reason }) => [candle, reason])).toEqual([[2, table]]);
    expect(fills[1]?.price).toBeCloseTo(level * (1 - 0.00045), 1);
    expect(result.bot.state.pairs[0]?.position).toBeNull();
  });

  test('a stop sells at the open when the candle of a maker entry opens beyond both', () => {
    const { fills } = run([
      [100, 110, 100, 110],
      [90, 91, 89, 90],
    ]);
    // Bought at 110 as the order says; the stop of 104.5 was never traded.
    expect(fills.map(({ candle, side, reason }) => [candle, side, reason])).toEqual([
      [1, 'buy', 'signal'],
      [1, 'sell', 'stop_sell'],
    ]);
    expect(fills[1]?.price).toBeCloseTo(90 * (1 - 0.00045), 6);
  });

  test('an opposite signal cancels an unfilled maker entry and enters the other side', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110, 110, 110, 110],
        [110, 110, 110, 110],
        [110, 110, 110, 110],
        [110, 110, 107.9, 107.9],
        [107.9, 112, 107.9, 110],
      ],
      { exchange: 'binanceusdm', market: 'both', leverage: 2, markdown_buy_pct: 2, ...NO_TABLES },
    );
    // 107.8 is never reached; two percent over the close of 107.9, rounded up, is.
    expect(fills.map(({ candle, side, reason, price }) => [candle, side, reason, price])).toEqual([
      [5, 'sell', 'signal', 110.06],
    ]);
  });

  test('two tables that are due at one open sell there, one after the other', () => {
    const given = { ...NO_TABLES, stop_sell: [{ profit: 3, stop: 50 }], profit_callback_start: 5 };
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110, 110, 109, 110],
        // Armed at +9 %: the line is at 110 + 60 % of 10.
        [112, 120, 117, 120],
        // The open is beyond the stop and the line; later the price comes back up, though not to the line.
        [106, 114, 105, 113],
      ],
      { ...given, profit_callback: [{ profit: 60, stop: 100 }], avg_slippage_pct: 0 },
    );
    expect(fills.slice(1).map(({ candle, price, reason }) => [candle, price, reason])).toEqual([
      [3, 106, 'stop_sell'],
      [3, 106, 'profit_callback'],
    ]);
  });

  test('a working exit fills at an open beyond its price, before a stop in that candle', () => {
    const { fills } = run(
      [
        [100, 110, 100, 110],
        [110, 110, 109, 110],
        [110, 111, 108, 110.5],
        // The averages cross down: a maker sells at 106.
        [110, 110, 106, 106],
        // Above it from the open on, then through the stop at 104.5.
        [107, 107.5, 100, 101],
      ],
      { ...NO_TABLES, stop_sell: [{ profit: 5, stop: 100 }], max_sell_loss_pct: 0 },
    );
    expect(fills.slice(1).map(({ candle, price, liquidity, reason }) => [candle, price, liquidity, reason])).toEqual([
      [4, 106, 'maker', 'signal'],
    ]);
  });

  test('run_for ends entries in a backtest as it does live', () => {
    const wave = Array.from({ length: 300 }, (_, i): [number, number, number, number] => {
      const open = 100 + 5 * Math.sin(i / 5);
      const close = 100 + 5 * Math.sin((i + 1) / 5);
      return [open, Math.max(open, close) + 0.1, Math.min(open, close) - 0.1, close];
    });
    const endless = run(wave, { max_buy_loss_pct: 0, max_sell_loss_pct: 0 });
    const hour = run(wave, { max_buy_loss_pct: 0, max_sell_loss_pct: 0, run_for: 1 });
    expect(endless.fills.filter(({ candle, side }) => side === 'buy' && candle > 41).length).toBeGreaterThan(0);
    expect(hour.fills.filter(({ candle, side }) => side === 'buy' && candle > 41)).toEqual([]);
    expect(hour.result.bot.state.status).toBe('finished');
  });

  test('a reversal entry works at the maker exit’s fill price and never crosses (I-22)', () => {
    const reversed = (third: [number, number, number, number][]) =>
      run([[100, 110, 100, 110], [110, 111, 109, 111], [111, 111, 104, 104], ...third], {
        ...NO_TABLES,
        exchange: 'binanceusdm',
        market: 'both',
        leverage: 2,
        order_type: 'maker',
        max_sell_loss_pct: 0,
      }).fills.map(({ candle, side, price, reason }) => [candle, side, price, reason]);
    // The candle opens below the exit and rises to it: a sale at the open's price would take what is bid there.
    const inside = reversed([
      [102, 105, 102, 104],
      [104, 104, 103, 104],
      [104, 104.5, 104, 104],
    ]);
    expect(inside.slice(1)).toEqual([
      [3, 'sell', 104, 'reverse'],
      [5, 'sell', 104, 'reverse'],
    ]);
    // It opens beyond the exit: that is where the market is.
    const beyond = reversed([
      [106, 107, 105, 106],
      [106, 106.5, 106, 106],
    ]);
    expect(beyond.slice(1)).toEqual([
      [3, 'sell', 104, 'reverse'],
      [4, 'sell', 106, 'reverse'],
    ]);
  });

  test("a reversal inside a candle sees an earlier pair's working entry at its close", () => {
    const still: [number, number, number, number] = [100, 100, 100, 100];
    const resting = candlesOf([still, still, [100, 100, 90, 90], [90, 90, 80, 80], [80, 80, 80, 80], [80, 80, 80, 80]]);
    const reversing = candlesOf([
      [100, 110, 100, 110],
      [110, 111, 109, 111],
      [111, 111, 104, 104],
      [102, 105, 102, 104],
      [104, 104, 103, 104],
      [104, 104.5, 104, 104],
    ]);
    const { record } = runBacktest({
      pairs: [
        { market: { ...market, pair: 'ADA-USDT', base: 'ADA' }, candles: resting, candleMs: MINUTE },
        { market, candles: reversing, candleMs: MINUTE },
      ],
      options: options({
        ...NO_TABLES,
        strategy: 'ema_cross',
        period: '1m',
        min_periods: 18,
        exchange: 'binanceusdm',
        market: 'both',
        margin_mode: 'cross',
        leverage: 10,
        order_type: 'maker',
        max_sell_loss_pct: 0,
      }),
      params: { fast: 2, slow: 3, band: 0 },
    });
    const fills = [...fillsOf(record)].map(({ pair, side, price, quantity }) => [
      pair,
      side,
      fromUnits(price),
      fromUnits(quantity, market.assetDecimals),
    ]);
    // 154.629 ADA to sell at 90 keep, with ADA at 80, 13,916.61 · (1/10 + 0.1 %) = 1,405.57761 of the 8,881.368148 that
    // the first trade has left: 7,475.790538 · 20 % · 10/1.01 / 104 = 142.3418 … At ADA's open of 90 they would count as
    // 0.15 % more, and SOL come to 142.301.
    expect(fills).toEqual([
      ['SOL-USDT', 'buy', 110, 180.018],
      ['SOL-USDT', 'sell', 104, 180.018],
      ['SOL-USDT', 'sell', 104, 142.341],
    ]);
  });

  test('funding without a mark uses the last price, also after candles without movement', () => {
    const rows: [number, number, number, number][] = [
      [100, 101, 100, 101],
      [101, 101, 101, 101],
      [101, 101.5, 101, 101.5],
      [101.5, 102, 101.5, 102],
      [102, 102.5, 102, 102.5],
      [102.5, 103, 102.5, 103],
    ];
    const paidAt = START + 25 * MINUTE;
    const { result } = run(
      rows,
      { ...NO_TABLES, exchange: 'binanceusdm', leverage: 2, order_type: 'taker', max_buy_loss_pct: 0 },
      { time: Float64Array.of(paidAt), rate: Float64Array.of(0.001), mark: Float64Array.of(0) },
    );
    expect(result.record.funding.map(({ at, mark }) => [at, fromUnits(mark)])).toEqual([[paidAt, 102.5]]);
  });
});
