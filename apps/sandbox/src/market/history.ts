import type { Candle, Candles } from './candles.ts';
import type { Fundamentals } from './fundamentals.ts';
import type { Pair } from './pairs.ts';
import { Random } from './random.ts';

/**
 * Generates the minutes in which the sandbox did not run. Each minute opens at the last close, closes at the fair price
 * and has the extremes of a random walk between the two.
 *
 * @param markets candles of each pair, in the order of `fundamentals`; those without any begin at `from`
 * @param from first minute to generate
 * @param to minute after the last
 */
export function generateHistory(
  seed: number,
  fundamentals: Fundamentals,
  markets: { pair: Pair; candles: Candles; nextTradeId: number }[],
  from: number,
  to: number,
): void {
  const randoms = markets.map(({ pair }) => Random.seeded(seed, `${pair.symbol}/history/${from}`));
  const closes = markets.map(
    ({ pair, candles }, i) => candles.last()?.close ?? Math.round(fundamentals.price(i) * 10 ** pair.priceDecimals),
  );
  // Reused, because half a million candles would be collected as garbage.
  const candle = { ...NO_CANDLE };
  for (let minute = from; minute < to; minute++) {
    fundamentals.step(1);
    const daily = dailyActivity(minute);
    for (let i = 0; i < markets.length; i++) {
      const market = markets[i] as (typeof markets)[number];
      const close = Math.max(1, Math.round(fundamentals.price(i) * 10 ** market.pair.priceDecimals));
      candle.minute = minute;
      candle.open = closes[i] as number;
      candle.close = close;
      candle.firstTradeId = market.nextTradeId;
      generateMinute(market.pair, randoms[i] as Random, candle, fundamentals.volatility(i), daily);
      market.candles.push(candle);
      market.nextTradeId += candle.trades;
      closes[i] = close;
    }
  }
}

const NO_CANDLE: Candle = {
  minute: 0,
  open: 0,
  high: 0,
  low: 0,
  close: 0,
  trades: 0,
  volume: 0,
  turnover: 0,
  takerBuyVolume: 0,
  takerBuyTurnover: 0,
  firstTradeId: 0,
};

/** Returns the activity at the time of day of a minute, 1 on average. */
function dailyActivity(minute: number): number {
  const hour = (minute / 60) % 24;
  return 1 + 0.35 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
}

/**
 * Completes a candle that has its minute, open, close and first trade.
 *
 * @param volatility standard deviation of a minute's logarithmic return
 * @param daily activity at this time of day, 1 on average
 */
function generateMinute(pair: Pair, random: Random, candle: Candle, volatility: number, daily: number): void {
  const { open, close } = candle;
  // High and low of a Brownian bridge are drawn exactly from its distribution.
  const move = close - open;
  const spread = 2 * (volatility * open) ** 2;
  const high = Math.max(
    open,
    close,
    Math.round(open + (move + Math.sqrt(move * move - spread * Math.log(1 - random.next()))) / 2),
  );
  const low = Math.max(
    1,
    Math.min(
      open,
      close,
      Math.round(open + (move - Math.sqrt(move * move - spread * Math.log(1 - random.next()))) / 2),
    ),
  );
  const excitement = 0.4 + (0.6 * (high - low)) / (1.6 * pair.volatility * open);
  const activity = daily * excitement * random.lognormal(0.5);
  const price = open / 10 ** pair.priceDecimals;
  const volume = Math.max(1, Math.round((pair.minuteTurnover / price) * activity * 10 ** pair.quantityDecimals));
  // Buyers take more in a rising minute.
  const buyShare = Math.min(
    0.9,
    Math.max(0.1, 0.5 + 0.25 * Math.tanh(move / (volatility * open)) + 0.08 * random.normal()),
  );
  const takerBuyVolume = Math.min(volume, Math.round(volume * buyShare));
  const average = Math.round((open + high + low + close) / 4);
  candle.high = high;
  candle.low = low;
  candle.trades = Math.min(volume, Math.max(1, Math.round(90 * pair.takersPerSecond * activity)));
  candle.volume = volume;
  candle.turnover = volume * average;
  candle.takerBuyVolume = takerBuyVolume;
  candle.takerBuyTurnover = takerBuyVolume * average;
}
