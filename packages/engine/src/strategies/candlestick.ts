import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type Sma, smaInit, smaNext } from '../indicators/sma.ts';
import type { Text } from '../options/item.ts';
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
import { emptySignal, type ListParam, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

type Patterns = Readonly<Record<string, { readonly ends: Pattern; readonly title: Text }>>;

const BULLISH: Patterns = {
  BullishEngulfing: { ends: engulfing, title: { zh: '看涨吞没', en: 'Bullish engulfing' } },
  BullishHarami: { ends: harami, title: { zh: '看涨孕线', en: 'Bullish harami' } },
  PiercingLine: { ends: piercing, title: { zh: '刺透形态', en: 'Piercing line' } },
  MorningStar: { ends: star, title: { zh: '启明星', en: 'Morning star' } },
  ThreeWhiteSoldiers: { ends: threeSoldiers, title: { zh: '红三兵', en: 'Three white soldiers' } },
  Hammer: { ends: hammer, title: { zh: '锤子线', en: 'Hammer' } },
  InvertedHammer: { ends: invertedHammer, title: { zh: '倒锤子线', en: 'Inverted hammer' } },
  TweezerBottom: { ends: tweezer, title: { zh: '镊子底', en: 'Tweezer bottom' } },
  BullishMarubozu: { ends: marubozu, title: { zh: '光头光脚阳线', en: 'Bullish marubozu' } },
};

/** These see mirrored candles: every price negated, high and low exchanged. */
const BEARISH: Patterns = {
  BearishEngulfing: { ends: engulfing, title: { zh: '看跌吞没', en: 'Bearish engulfing' } },
  BearishHarami: { ends: harami, title: { zh: '看跌孕线', en: 'Bearish harami' } },
  DarkCloudCover: { ends: piercing, title: { zh: '乌云盖顶', en: 'Dark cloud cover' } },
  EveningStar: { ends: star, title: { zh: '黄昏星', en: 'Evening star' } },
  ThreeBlackCrows: { ends: threeSoldiers, title: { zh: '三只乌鸦', en: 'Three black crows' } },
  HangingMan: { ends: hangingMan, title: { zh: '上吊线', en: 'Hanging man' } },
  ShootingStar: { ends: hammer, title: { zh: '流星线', en: 'Shooting star' } },
  TweezerTop: { ends: tweezer, title: { zh: '镊子顶', en: 'Tweezer top' } },
  BearishMarubozu: { ends: marubozu, title: { zh: '光头光脚阴线', en: 'Bearish marubozu' } },
};

interface State {
  bodies: Sma;
  trend: Ema;
  /** The newest candles as they are, and mirrored. */
  candles: PatternCandles;
  mirrored: PatternCandles;
}

/** Longest pattern, and the candle before it. */
const KEPT = 4;

/** Candle patterns. @see docs/strategies.md#candlestick */
export const candlestick: Strategy<State> = {
  id: 'candlestick',
  title: TITLES.candlestick,
  group: 'pattern',
  help: {
    zh: '出现所选看涨形态买入，看跌形态卖出；多空形态同时出现则不操作。单凭形态并不可靠。',
    en: 'Buys at a chosen bullish pattern, sells at a bearish one; both at once is nothing. Patterns alone are not reliable.',
  },
  params: [
    patternParam('buy_patterns', BULLISH, ['ThreeWhiteSoldiers', 'Hammer', 'TweezerBottom'], {
      zh: '买入形态',
      en: 'Buy patterns',
    }),
    patternParam('sell_patterns', BEARISH, ['ThreeBlackCrows', 'HangingMan', 'ShootingStar', 'TweezerTop'], {
      zh: '卖出形态',
      en: 'Sell patterns',
    }),
    {
      name: 'trend',
      type: 'number',
      value: 20,
      step: [0, 200, 1],
      title: { zh: '趋势均线（0 不限）', en: 'Trend average (0 none)' },
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
        shift(candles, open, high, low, close, meanBody, close - trend);
        shift(mirrored, -open, -low, -high, -close, meanBody, trend - close);
        const buy = anyEnds(bullish, candles);
        const sell = anyEnds(bearish, mirrored);
        signalBoth(signal, buy && !sell, sell && !buy);
        signal.values[0] = trend;
        signal.values[1] = buy === sell ? Number.NaN : buy ? low : high;
        return signal;
      },
    };
  },
};

function patternParam(name: string, patterns: Patterns, value: readonly string[], title: Text): ListParam {
  const words = Object.fromEntries(Object.entries(patterns).map(([id, pattern]) => [id, pattern.title]));
  return { name, type: 'list', value, list: Object.keys(patterns), words, title };
}

function patternCandles(inContext: boolean): PatternCandles {
  const none = () => new Array<number>(KEPT).fill(Number.NaN);
  return { open: none(), high: none(), low: none(), close: none(), meanBody: none(), overTrend: none(), inContext };
}

function shift(
  candles: PatternCandles,
  open: number,
  high: number,
  low: number,
  close: number,
  meanBody: number,
  overTrend: number,
): void {
  put(candles.open, open);
  put(candles.high, high);
  put(candles.low, low);
  put(candles.close, close);
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
    .map(([, { ends }]) => ends);
}

function anyEnds(patterns: readonly Pattern[], candles: PatternCandles): boolean {
  for (const ends of patterns) if (ends(candles)) return true;
  return false;
}
