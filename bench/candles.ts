import { type CandleColumns, candleColumns } from '@heron/engine/market/candle.ts';
import { type Market, type MarketFilters, marketOf } from '@heron/engine/market/market.ts';

export const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
/** Standard deviation of a one-minute return, about that of BTC-USDT. */
const DEVIATION = 0.0008;

/** Tick size, step size and minimum order of BTC-USDT on Binance. */
const FILTERS: MarketFilters = {
  pair: 'BTC-USDT',
  tickSize: 0.01,
  stepSize: 0.00001,
  minQuantity: 0.00001,
  maxQuantity: Number.POSITIVE_INFINITY,
  minNotional: 5,
};

/** The market of the random walk. */
export const MARKET: Market = marketOf(FILTERS);

/** Markets of a portfolio: the same grid under different names. */
export function marketsOf(count: number): Market[] {
  return Array.from({ length: count }, (_, k) => marketOf({ ...FILTERS, pair: `A${k}-${MARKET.quote}` }));
}

/** One-minute candles of a seeded random walk from 30,000; each opens at the close before it. Prices have two decimals. */
export function randomWalk(length: number, seed = 1): CandleColumns {
  const candles = candleColumns(length);
  const random = randomOf(seed);
  let price = 30_000;
  for (let i = 0; i < length; i++) {
    // The sum of three uniform numbers is near enough to a normal one; its standard deviation is 1/2.
    const change = 2 * DEVIATION * (random() + random() + random() - 1.5);
    const open = price;
    const close = cents(open * Math.exp(change));
    candles.time[i] = START + i * MINUTE;
    candles.open[i] = open;
    candles.high[i] = cents(Math.max(open, close) * (1 + DEVIATION * random()));
    candles.low[i] = cents(Math.min(open, close) * (1 - DEVIATION * random()));
    candles.close[i] = close;
    candles.volume[i] = cents(100 * random());
    price = close;
  }
  return candles;
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function cents(value: number): number {
  return Math.round(100 * value) / 100;
}
