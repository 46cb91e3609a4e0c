import { createHash } from 'node:crypto';
import { runBacktest } from '@heron/engine/backtest/backtest.ts';
import type { BacktestPair, FundingColumns } from '@heron/engine/backtest/backtestPair.ts';
import { fillsOf } from '@heron/engine/backtest/runRecord.ts';
import { sliceCandles } from '@heron/engine/market/candle.ts';
import { marketOf } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { checkSetup } from '@heron/engine/options/setup.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { movedTo, realCandles, withGaps } from './candles.ts';

const MINUTE = 60_000;

/** Result of a run; the hash covers every field of every fill, funding payment and liquidation. */
export interface Golden {
  readonly fills: number;
  /** Equity at the end, in quote. */
  readonly equity: string;
  readonly sha256: string;
}

interface Run {
  readonly name: string;
  readonly pairs: readonly BacktestPair[];
  readonly options: Partial<Record<keyof BotOptions, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly detail?: boolean;
}

const GRIDS = { minNotional: 5, maxQuantity: 9_000 };
const BTC = marketOf({ pair: 'BTC-USDT', tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, ...GRIDS });
const ETH = marketOf({ pair: 'ETH-USDT', tickSize: 0.01, stepSize: 0.0001, minQuantity: 0.0001, ...GRIDS });
const SOL = marketOf({ pair: 'SOL-USDT', tickSize: 0.01, stepSize: 0.001, minQuantity: 0.001, ...GRIDS });

/** Creates funding every eight hours, negative every third time; mark 0 means the price of the candles. */
function fundingOf(first: number, last: number): FundingColumns {
  const eight = 8 * 60 * MINUTE;
  const count = Math.floor((last - first) / eight);
  return {
    time: Float64Array.from({ length: count }, (_, i) => first + (i + 1) * eight),
    rate: Float64Array.from({ length: count }, (_, i) => (i % 3 === 2 ? -0.00005 : 0.0001)),
    mark: new Float64Array(count),
  };
}

/** Returns every golden run, with its candles. @throws Error when the candles are missing */
export function goldenRuns(): Run[] {
  const btc = realCandles('BTCUSDT-1m-2024H1.csv.gz');
  const eth = realCandles('ETHUSDT-1m-2021.csv.gz');
  const sol = realCandles('SOLUSDT-1m-2021.csv.gz');
  const whole: BacktestPair[] = [{ market: BTC, candles: btc, candleMs: MINUTE }];
  const fast: BacktestPair[] = [{ market: BTC, candles: sliceCandles(btc, 60_000, 90_000), candleMs: MINUTE }];
  const funded = whole.map((pair) => ({
    ...pair,
    funding: fundingOf(btc.time[0] as number, btc.time[btc.length - 1] as number),
  }));
  // The candles of the first pair are from another year and are shifted to the same weeks.
  const start = eth.time[0] as number;
  const three: BacktestPair[] = [
    {
      market: BTC,
      candles: withGaps(movedTo(sliceCandles(btc, 0, 40_000), start), 9_000, 700, 3_000),
      candleMs: MINUTE,
    },
    { market: ETH, candles: withGaps(eth, 5_000, 33, 1_000), candleMs: MINUTE },
    { market: SOL, candles: withGaps(sliceCandles(sol, 2_500, sol.length), 7_000, 1_450, 2_000), candleMs: MINUTE },
  ];
  const spot = [...STRATEGIES.keys()].map((strategy) => ({
    name: `spot BTC 30m with detail, ${strategy}`,
    pairs: whole,
    options: { strategy },
  }));
  const minutes = ['ema_cross', 'macd', 'rsi', 'bollinger', 'heikin_ashi', 'grid', 'dca'].flatMap((strategy) =>
    ['maker', 'taker'].map((order_type) => ({
      name: `spot BTC 1m, ${strategy}, ${order_type}`,
      pairs: fast,
      options: { strategy, order_type, period: '1m' },
    })),
  );
  const future = { exchange: 'binanceusdm', leverage: 10, takerFee: 0.05, makerFee: 0.02 };
  const futures = ['ema_cross', 'supertrend', 'donchian', 'grid', 'dca'].flatMap((strategy) =>
    ['only_long', 'only_short', 'both'].map((market) => ({
      name: `futures BTC 15m at 10×, ${strategy}, ${market}`,
      pairs: funded,
      options: { ...future, strategy, market, period: '15m', order_type: 'taker' },
    })),
  );
  const wild = { ...future, market: 'both', leverage: 50, stop_sell: [], buy_pct: 60, short_buy_pct: 60 };
  const margins = ['cross', 'isolated'].map((margin_mode) => ({
    name: `futures, three pairs with mixed gaps 5m at 50× without stops, macd, ${margin_mode}`,
    pairs: three,
    options: { ...wild, margin_mode, strategy: 'macd', period: '5m' },
  }));
  const portfolios = ['macd', 'rsi', 'dca'].flatMap((strategy) =>
    [true, false].map((detail) => ({
      name: `spot, three pairs with mixed gaps 30m ${detail ? 'with' : 'without'} detail, ${strategy}`,
      pairs: three,
      options: { strategy, buy_pct: 40, sell_pct: 50, quarentine_time: 240 },
      detail,
    })),
  );
  return [...spot, ...minutes, ...futures, ...margins, ...portfolios];
}

/** Runs one golden run and returns its result. */
export function goldenOf({ name, pairs, options, params = {}, detail = true }: Run): Golden {
  const setup = checkSetup({
    options: { watch_pairs: pairs.map(({ market }) => market.pair).join(','), ...options },
    params,
  });
  if (!setup.ok) throw new Error(`${name}: ${JSON.stringify(setup.faults)}`);
  const { record, equity } = runBacktest({ pairs, options: setup.options, params: setup.params, detail });
  const fills = [...fillsOf(record)];
  const hash = createHash('sha256');
  for (const line of [...fills, ...record.funding, ...record.liquidations]) hash.update(`${JSON.stringify(line)}\n`);
  return { fills: fills.length, equity: formatUnits(equity.at(-1) ?? 0), sha256: hash.digest('hex') };
}
