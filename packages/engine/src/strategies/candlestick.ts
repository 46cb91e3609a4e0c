import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type Sma, smaInit, smaNext } from '../indicators/sma.ts';
import type { Pattern, PatternCandles } from './patterns/candles.ts';
import { engulfing } from './patterns/engulfing.ts';
import { hammer } from './patterns/hammer.ts';
import { harami } from './patterns/harami.ts';
import { hangingMan, invertedHammer } from './patterns/invertedHammer.ts';
import { marubozu } from './patterns/marubozu.ts';
import { piercing } from './patterns/piercing.ts';
import { star } from './patterns/star.ts';
import { threeSoldiers } from './patterns/threeSoldiers.ts';
import { tweezer } from './patterns/tweezer.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

type Patterns = Readonly<Record<string, Pattern>>;

const BULLISH = {
  BullishEngulfing: engulfing,
  BullishHarami: harami,
  PiercingLine: piercing,
  MorningStar: star,
  ThreeWhiteSoldiers: threeSoldiers,
  Hammer: hammer,
  InvertedHammer: invertedHammer,
  TweezerBottom: tweezer,
  BullishMarubozu: marubozu,
} as const satisfies Patterns;

/** Bearish patterns receive mirrored candles: every price is negated, high and low are swapped. */
const BEARISH = {
  BearishEngulfing: engulfing,
  BearishHarami: harami,
  DarkCloudCover: piercing,
  EveningStar: star,
  ThreeBlackCrows: threeSoldiers,
  HangingMan: hangingMan,
  ShootingStar: hammer,
  TweezerTop: tweezer,
  BearishMarubozu: marubozu,
} as const satisfies Patterns;

interface State {
  bodies: Sma;
  trend: Ema;
  /** Newest candles; `mirrored` holds them with negated prices. */
  candles: PatternCandles;
  mirrored: PatternCandles;
}

/** Number of stored candles: those of the longest pattern and the candle before it. */
const KEPT = 4;

/** Signals when a selected candle pattern is complete. @see docs/strategies.md#candlestick */
export const candlestick = {
  id: 'candlestick',
  group: 'pattern',
  params: [
    {
      name: 'buy_patterns',
      type: 'list',
      value: ['ThreeWhiteSoldiers', 'Hammer', 'TweezerBottom'],
      list: namesOf(BULLISH),
    },
    {
      name: 'sell_patterns',
      type: 'list',
      value: ['ThreeBlackCrows', 'HangingMan', 'ShootingStar', 'TweezerTop'],
      list: namesOf(BEARISH),
    },
    {
      name: 'trend',
      type: 'number',
      value: 20,
      step: [0, 200, 1],
    },
  ],
  warmup: (params) => Math.max(30, 3 * (params.trend as number)),
  series: () => [
    { name: 'trend', pane: 'main', kind: 'line' },
    { name: 'pattern', pane: 'main', kind: 'marker' },
  ],
  init(params) {
    const length = params.trend as number;
    return {
      bodies: smaInit(10),
      trend: emaInit(Math.max(1, length)),
      candles: patternCandles(length > 0),
      mirrored: patternCandles(length > 0),
    };
  },
  run(params, state) {
    const bullish = chosenOf(BULLISH, params.buy_patterns as readonly string[]);
    const bearish = chosenOf(BEARISH, params.sell_patterns as readonly string[]);
    const signal = emptySignal(2);
    return {
      state,
      onCandle(open, high, low, close) {
        const { candles, mirrored } = state;
        const meanBody = smaNext(state.bodies, Math.abs(close - open));
        const trend = candles.inContext ? emaNext(state.trend, close) : Number.NaN;
        addPrices(candles, open, high, low, close);
        addContext(candles, meanBody, close - trend);
        addPrices(mirrored, -open, -low, -high, -close);
        addContext(mirrored, meanBody, trend - close);
        const buy = anyEnds(bullish, candles);
        const sell = anyEnds(bearish, mirrored);
        signalBoth(signal, buy && !sell, sell && !buy);
        signal.values[0] = trend;
        signal.values[1] = buy === sell ? Number.NaN : buy ? low : high;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;

function namesOf<T extends Patterns>(patterns: T): readonly (keyof T)[] {
  // The tables have exactly the keys of their types.
  return Object.keys(patterns) as (keyof T)[];
}

function patternCandles(inContext: boolean): PatternCandles {
  const none = () => new Array<number>(KEPT).fill(Number.NaN);
  return { open: none(), high: none(), low: none(), close: none(), meanBody: none(), overTrend: none(), inContext };
}

function addPrices(candles: PatternCandles, open: number, high: number, low: number, close: number): void {
  put(candles.open, open);
  put(candles.high, high);
  put(candles.low, low);
  put(candles.close, close);
}

function addContext(candles: PatternCandles, meanBody: number, overTrend: number): void {
  put(candles.meanBody, meanBody);
  put(candles.overTrend, overTrend);
}

function put(newest: number[], value: number): void {
  for (let i = KEPT - 1; i > 0; i--) newest[i] = newest[i - 1] as number;
  newest[0] = value;
}

function chosenOf(patterns: Patterns, names: readonly string[]): Pattern[] {
  return Object.entries(patterns)
    .filter(([name]) => names.includes(name))
    .map(([, pattern]) => pattern);
}

function anyEnds(patterns: readonly Pattern[], candles: PatternCandles): boolean {
  for (const ends of patterns) if (ends(candles)) return true;
  return false;
}
