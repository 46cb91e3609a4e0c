import fc from 'fast-check';
import type { BacktestInput } from '../src/backtest/backtest.ts';
import { type CandleColumns, candleColumns } from '../src/market/candle.ts';
import type { Market } from '../src/market/market.ts';
import { MARKETS } from './arbitraries.ts';
import { options } from './harness.ts';

const HOUR = 3_600_000;

type Given<A> = A extends fc.Arbitrary<infer T> ? T : never;

const jump = { weight: 1, arbitrary: fc.constantFrom(-400, -200, 200, 400) };

/** Price moves of one pair, and its start in hours after the first pair. */
const walk = fc.record({
  start: fc.constantFrom(0.5, 100, 60_000),
  moves: fc.array(fc.oneof({ weight: 19, arbitrary: fc.integer({ min: -40, max: 40 }) }, jump), {
    minLength: 80,
    maxLength: 200,
    size: 'max',
  }),
  later: fc.integer({ min: 0, max: 30 }),
});

/** A backtest over one to three pairs, spot or futures, that trades often. */
export const randomBacktest = fc.record({
  walks: fc.array(walk, { minLength: 1, maxLength: 3 }),
  future: fc.boolean(),
  order: fc.constantFrom('maker', 'taker'),
  leverage: fc.constantFrom(1, 2, 10, 125),
  margin: fc.constantFrom('isolated', 'cross'),
  stop: fc.constantFrom(2, 5, 20),
  period: fc.constantFrom('1h', '2h', '4h'),
  rate: fc.integer({ min: -300, max: 300 }),
  detail: fc.boolean(),
});

/** Creates candles across the end of a month. Moves are in tenths of a percent and reverse far from the start price. */
function candlesOf({ start, moves, later }: Given<typeof walk>): CandleColumns {
  const columns = candleColumns(moves.length);
  let price: number = start;
  moves.forEach((move, i) => {
    // A jump is a gap between two candles, where no guard can act.
    const open = Math.abs(move) > 100 ? Math.round(price * (1 + move / 1_000) * 1e4) / 1e4 : price;
    const away = Math.log(price / start);
    price = Math.abs(move) > 100 ? open : Math.round(price * (1 + move / 1_000 - away / 20) * 1e4) / 1e4;
    columns.time[i] = Date.UTC(2024, 0, 30) + (later + i) * HOUR;
    columns.open[i] = open;
    columns.high[i] = Math.round(Math.max(open, price) * 1.004 * 1e4) / 1e4;
    columns.low[i] = Math.round(Math.min(open, price) * 0.996 * 1e4) / 1e4;
    columns.close[i] = price;
    columns.volume[i] = 1;
  });
  return columns;
}

export function inputOf({
  walks,
  future,
  order,
  leverage,
  margin,
  stop,
  period,
  rate,
  detail,
}: Given<typeof randomBacktest>): BacktestInput {
  const pairs = walks.map((given, k) => {
    const candles = candlesOf(given);
    const time = candles.time.filter((at) => at % (8 * HOUR) === 0);
    const funding = { time, rate: time.map(() => rate / 1e5), mark: time.map(() => 0) };
    return { market: MARKETS[k] as Market, candles, candleMs: HOUR, ...(future ? { funding } : {}) };
  });
  return {
    pairs,
    options: options({
      watch_pairs: pairs.map(({ market }) => market.pair).join(','),
      order_type: order,
      period,
      strategy: 'ema_cross',
      min_periods: 18,
      stop_sell: [
        { profit: stop, stop: 50 },
        { profit: 2 * stop, stop: 100 },
      ],
      profit_win: [{ profit: 3, stop: 40 }],
      quarentine_time: 0,
      ...(future ? { exchange: 'binanceusdm', market: 'both', leverage, margin_mode: margin } : {}),
    }),
    params: { fast: 2, slow: 4, band: 0 },
    detail,
  };
}
