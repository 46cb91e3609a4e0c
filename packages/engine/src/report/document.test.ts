import { describe, expect, test } from 'vitest';
import { options, START } from '../../test/harness.ts';
import { type BacktestInput, runBacktest } from '../backtest/backtest.ts';
import { type CandleColumns, candleColumns } from '../market/candle.ts';
import { marketOf } from '../market/market.ts';
import { backtestDocument } from './document.ts';

const MINUTE = 60_000;
const market = (pair: string) =>
  marketOf({ pair, tickSize: 0.01, stepSize: 0.001, minQuantity: 0.001, maxQuantity: 1e6, minNotional: 5 });

type Row = [open: number, high: number, low: number, close: number];

/** Returns twenty flat candles at 100, then the given rows. */
function candlesOf(rows: Row[]): CandleColumns {
  const all = [...Array.from({ length: 20 }, (): Row => [100, 100, 100, 100]), ...rows];
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

const UP: Row = [100, 110, 100, 110];
const STILL: Row = [110, 110, 110, 110];

function documentOf(pairs: BacktestInput['pairs'], given: Parameters<typeof options>[0] = {}) {
  const input: BacktestInput = {
    pairs,
    options: options({
      watch_pairs: pairs.map(({ market: { pair } }) => pair).join(','),
      strategy: 'ema_cross',
      period: '1m',
      min_periods: 18,
      order_type: 'taker',
      avg_slippage_pct: 0,
      ...given,
    }),
    params: { fast: 2, slow: 3, band: 0 },
  };
  return backtestDocument(runBacktest(input), input, { venue: 'Binance spot', money: 'simulated money' });
}

describe('the document of a backtest', () => {
  test('of a future: funding of 0.1 % on 110 and entry fees are all that was realised', () => {
    const candles = candlesOf([UP, STILL, STILL, STILL]);
    const funding = {
      time: Float64Array.of(START, START + 22 * MINUTE),
      rate: Float64Array.of(0.5, 0.001),
      mark: Float64Array.of(0, 0),
    };
    const document = documentOf([{ market: market('A-USDT'), candles, candleMs: MINUTE, funding }], {
      exchange: 'binanceusdm',
      leverage: 10,
    });
    const [fill] = document.fills;
    expect(document.fills.length).toBe(1);
    expect(fill).toMatchObject({ pair: 'A-USDT', side: 'buy', kind: 'entry', direction: 'long', price: 110 });
    const quantity = fill?.quantity ?? 0;
    expect(quantity).toBeGreaterThan(100);
    // There was no position at the first payment.
    const amount = -Math.round(quantity * 110 * 0.001 * 1e8) / 1e8;
    expect(document.funding).toEqual([{ pair: 'A-USDT', time: START + 22 * MINUTE, amount, rate: 0.001, mark: 110 }]);
    const fee = Math.round(quantity * 110 * 0.001 * 1e8) / 1e8;
    expect(document.metrics).toMatchObject({ funding: amount, fees: fee, unrealised: 0, liquidations: 0 });
    expect(document.metrics.realised).toBeCloseTo(amount - fee, 8);
    expect(document.metrics.byReason).toEqual({
      signal: { trades: 0, net: -fee },
      funding: { trades: 0, net: amount },
    });
    expect(document.trades[0]).toMatchObject({ direction: 'long', realised: -fee });
    expect(document.pairs[0]?.held).toEqual({ direction: 'long', quantity, entryPrice: 110 });
  });

  test('of two pairs: each has its candles, span and figures; results need trades', () => {
    const traded = candlesOf([UP, STILL, [110, 110, 100, 100], [100, 100, 100, 100]]);
    const still = candlesOf([]);
    still.time.forEach((time, i) => {
      still.time[i] = time + 10 * MINUTE;
    });
    const document = documentOf([
      { market: market('A-USDT'), candles: traded, candleMs: MINUTE },
      { market: market('B-USDT'), candles: still, candleMs: MINUTE },
    ]);
    expect(document).toMatchObject({
      pair: 'A-USDT,B-USDT',
      from: START,
      to: START + 30 * MINUTE,
      candles: 44,
      detail: false,
    });
    const [a, b] = document.pairs;
    expect(a).toMatchObject({
      pair: 'A-USDT',
      from: START,
      to: START + 24 * MINUTE,
      candles: 24,
      losses: 1,
      held: null,
    });
    expect(a?.trades).toBe(document.trades.length);
    expect(b).toMatchObject({
      pair: 'B-USDT',
      from: START + 10 * MINUTE,
      candles: 20,
      trades: 0,
      realised: 0,
      fees: 0,
    });
    expect(document.positions).toMatchObject([{ pair: 'A-USDT', direction: 'long', entryPrice: 110 }]);
    expect(Object.keys(document.metrics.byPair)).toEqual(['A-USDT']);
    expect(document.metrics.byPair['A-USDT']?.net).toBe(a?.realised);
    // A and B both end at their first price.
    expect(document.metrics.buyAndHoldPercent).toBe(0);
  });

  test('of shorter candles inside the period ends with the last candle of the period', () => {
    const candles = candlesOf(Array.from({ length: 13 }, () => STILL));
    const pairs = [{ market: market('A-USDT'), candles, candleMs: MINUTE }];
    expect(documentOf(pairs, { period: '15m' })).toMatchObject({
      from: START,
      to: START + 30 * MINUTE,
      candles: 2,
      detail: true,
    });
  });
});
