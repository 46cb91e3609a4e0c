import { expect, test } from 'vitest';
import type { Bar } from '../../test/candleSeries.ts';
import { STRATEGIES, strategyOf } from './catalogue.ts';

const CANDLES = 6_000;
const STARTS = 100;

/** Creates a deterministic random walk. */
function walk(length: number): Bar[] {
  let seed = 20_240_101;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  let price = 30_000;
  return Array.from({ length }, () => {
    const open = price;
    // The sum of two uniform moves makes small returns more likely than large ones.
    price = open * (1 + 0.006 * (random() + random() - 1));
    const high = Math.max(open, price) * (1 + 0.003 * random());
    const low = Math.min(open, price) * (1 - 0.003 * random());
    return [open, high, low, price, 100 * random()];
  });
}

/** Returns the four flags as one number per candle. */
function flagsOf(id: string, candles: readonly Bar[]): number[] {
  const { strategy, params } = strategyOf(id, {});
  const run = strategy.run(params, strategy.init(params));
  return candles.map((candle) => {
    return run.onCandle(...candle).flags;
  });
}

/** Returns, for each later start, the number of candles after which its flags permanently equal those of the early start. */
function candlesNeeded(id: string, candles: readonly Bar[]): number[] {
  const whole = flagsOf(id, candles);
  return Array.from({ length: STARTS }, (_, i) => {
    const start = 500 + i * 40;
    const late = flagsOf(id, candles.slice(start));
    return late.findLastIndex((flags, at) => flags !== whole[start + at]) + 1;
  }).sort((a, b) => a - b);
}

/**
 * Warm-up of docs/strategies.md#signal-strategies, then the number of closed candles until the flags no longer depend on the start
 * of the history. The numbers are p50, p90 and the maximum over all starts, with default parameters. Some strategies sometimes
 * exceed their warm-up. They store a direction (supertrend, momentum) or compare values at a bound (cci_srsi, stoch_rsi).
 */
const NEEDED: Record<string, readonly [warmup: number, half: number, nineInTen: number, all: number]> = {
  ema_cross: [63, 20, 46, 61],
  trend_ema: [78, 39, 50, 87],
  macd: [87, 45, 71, 111],
  rsi: [56, 7, 44, 71],
  stoch_rsi: [300, 97, 224, 392],
  bollinger: [22, 10, 19, 20],
  keltner: [60, 24, 50, 68],
  psar: [30, 7, 25, 40],
  ichimoku: [80, 65, 77, 78],
  hull_ma: [44, 35, 41, 42],
  momentum: [12, 12, 14, 16],
  wavetrend: [93, 30, 55, 86],
  cci_srsi: [68, 24, 257, 482],
  vwap_cross: [97, 48, 88, 108],
  trix: [135, 25, 55, 68],
  fisher: [40, 9, 16, 25],
  donchian: [21, 11, 20, 20],
  supertrend: [32, 20, 49, 88],
  adx_dmi: [70, 47, 79, 130],
  squeeze: [62, 32, 42, 110],
  heikin_ashi: [30, 3, 4, 6],
  candlestick: [60, 0, 18, 39],
  custom: [150, 19, 71, 155],
  vote: [87, 30, 60, 90],
  manual: [0, 0, 0, 0],
  grid: [1, 0, 0, 0],
  dca: [56, 26, 49, 100],
};

test('every strategy forgets where its history began', () => {
  const candles = walk(CANDLES);
  const found = [...STRATEGIES.keys()].map((id) => {
    const { strategy, params } = strategyOf(id, {});
    const needed = candlesNeeded(id, candles);
    return [id, [strategy.warmup(params), needed[49], needed[89], needed[99]]];
  });
  expect(Object.fromEntries(found)).toEqual(NEEDED);
});

test('half of all histories are irrelevant within the warm-up, all within 600 candles', () => {
  for (const [id, [warmup, half, , all]] of Object.entries(NEEDED)) {
    expect([id, half <= warmup, all < 600]).toEqual([id, true, true]);
  }
});
