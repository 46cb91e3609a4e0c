import { describe, expect, test } from 'vitest';
import { raised } from '../../test/raised.ts';
import { strategyOf } from './catalogue.ts';

type Candle = readonly [open: number, high: number, low: number, close: number];

/** Thirty red candles with bodies of 1 that fall to 100. */
const FALL: readonly Candle[] = Array.from({ length: 30 }, (_, i) => [130 - i, 130.2 - i, 128.8 - i, 129 - i]);

/** Mirrors the candles: a falling market becomes a rising one, green becomes red. */
const mirror = (candles: readonly Candle[]): Candle[] =>
  candles.map(([open, high, low, close]) => [230 - open, 230 - low, 230 - high, 230 - close]);

const RISE = mirror(FALL);

/** Returns the signal indices of a strategy with only this pattern, counted from the first candle of the pattern. */
function signals(
  pattern: string,
  side: 'buy' | 'sell',
  before: readonly Candle[],
  candles: readonly Candle[],
  trend = 20,
) {
  const { strategy, params } = strategyOf('candlestick', {
    buy_patterns: side === 'buy' ? [pattern] : [],
    sell_patterns: side === 'sell' ? [pattern] : [],
    trend,
  });
  const run = strategy.run(params, strategy.init(params));
  return [...before, ...candles].flatMap((candle, i) => {
    const { enterLong, exitShort, enterShort, exitLong } = raised(run.onCandle(...candle, 1));
    const bought = enterLong && exitShort && !enterShort && !exitLong;
    const sold = enterShort && exitLong && !enterLong && !exitShort;
    return (side === 'buy' ? bought : sold) ? [i - before.length] : [];
  });
}

const LONG_RED: Candle = [100, 100.1, 97.9, 98];
const HAMMER: Candle = [100, 100.1, 98.5, 99.5];

/** Bullish name, bearish name, matching candles, and for each condition candles that narrowly fail it. */
const PATTERNS: readonly [
  bullish: string,
  bearish: string,
  needsFall: boolean,
  candles: readonly Candle[],
  misses: Readonly<Record<string, readonly Candle[]>>,
][] = [
  [
    'BullishEngulfing',
    'BearishEngulfing',
    true,
    [
      [100, 100.1, 98.9, 99],
      [98.8, 100.6, 98.7, 100.5],
    ],
    {
      'only the same body': [
        [100, 100.1, 98.9, 99],
        [99, 100.6, 98.7, 100],
      ],
      'opens inside': [
        [100, 100.1, 98.9, 99],
        [99.1, 100.6, 98.7, 100.5],
      ],
      'first is green': [
        [99, 100.1, 98.9, 100],
        [98.8, 100.6, 98.7, 100.5],
      ],
    },
  ],
  [
    'BullishHarami',
    'BearishHarami',
    true,
    [LONG_RED, [98.5, 98.95, 98.4, 98.9]],
    {
      'not small': [LONG_RED, [98.2, 98.95, 98.1, 98.8]],
      'opens below': [LONG_RED, [97.9, 98.4, 97.8, 98.3]],
      'first not long': [
        [100, 100.1, 98.9, 99.05],
        [99.1, 99.5, 99.06, 99.4],
      ],
    },
  ],
  [
    'PiercingLine',
    'DarkCloudCover',
    true,
    [LONG_RED, [97.5, 99.4, 97.4, 99.3]],
    {
      'below the middle': [LONG_RED, [97.5, 99.4, 97.4, 98.9]],
      'closes above the open': [LONG_RED, [97.5, 100.4, 97.4, 100.3]],
      'opens inside': [LONG_RED, [98.1, 99.4, 97.4, 99.3]],
    },
  ],
  [
    'MorningStar',
    'EveningStar',
    true,
    [LONG_RED, [97.8, 98, 97.5, 97.7], [97.9, 99.6, 97.8, 99.5]],
    {
      'below the middle': [LONG_RED, [97.8, 98, 97.5, 97.7], [97.9, 99.6, 97.8, 98.9]],
      'middle is not small': [LONG_RED, [97.8, 98, 97, 97.2], [97.3, 99.6, 97.2, 99.5]],
    },
  ],
  [
    'ThreeWhiteSoldiers',
    'ThreeBlackCrows',
    false,
    [
      [100, 101.6, 99.9, 101.5],
      [101, 102.8, 100.9, 102.7],
      [102, 104.1, 101.9, 104],
    ],
    {
      'long upper shadow': [
        [100, 101.6, 99.9, 101.5],
        [101, 102.8, 100.9, 102.7],
        [102, 104.7, 101.9, 104],
      ],
      'opens above the body': [
        [100, 101.6, 99.9, 101.5],
        [101.6, 102.8, 100.9, 102.7],
        [102, 104.1, 101.9, 104],
      ],
      'one is not long': [
        [100, 101.6, 99.9, 101.5],
        [101, 102, 100.9, 101.9],
        [101.5, 104.1, 101.4, 104],
      ],
    },
  ],
  [
    'Hammer',
    'ShootingStar',
    true,
    [HAMMER],
    {
      'short lower shadow': [[100, 100.1, 98.6, 99.5]],
      'long upper shadow': [[100, 100.2, 98.5, 99.5]],
      'no body': [[100, 100, 98.5, 100]],
    },
  ],
  [
    'TweezerBottom',
    'TweezerTop',
    true,
    [
      [100, 100.1, 98.9, 99],
      [99, 99.8, 98.92, 99.7],
    ],
    {
      'lows apart': [
        [100, 100.1, 98.9, 99],
        [99, 99.8, 98.96, 99.7],
      ],
      'both red': [
        [100, 100.1, 98.9, 99],
        [99.7, 99.8, 98.92, 99],
      ],
    },
  ],
  [
    'BullishMarubozu',
    'BearishMarubozu',
    false,
    [[100, 102.02, 99.99, 102]],
    { 'upper shadow': [[100, 102.2, 99.99, 102]], 'not long': [[100, 100.9, 100, 100.9]] },
  ],
];

describe('candle patterns', () => {
  for (const [bullish, bearish, needsFall, candles, misses] of PATTERNS) {
    const last = candles.length - 1;

    test(`${bullish} ends a fall, ${bearish} a rise`, () => {
      expect(signals(bullish, 'buy', FALL, candles)).toEqual([last]);
      expect(signals(bearish, 'sell', RISE, mirror(candles))).toEqual([last]);
    });

    test(`${bullish} ${needsFall ? 'needs a fall, unless the context is off' : 'needs no fall'}`, () => {
      const shifted = candles.map((candle) => candle.map((price) => price + 30) as unknown as Candle);
      expect(signals(bullish, 'buy', RISE, shifted)).toEqual(needsFall ? [] : [last]);
      expect(signals(bullish, 'buy', RISE, shifted, 0)).toEqual([last]);
    });

    for (const [what, missing] of Object.entries(misses)) {
      test(`${bullish} is none when: ${what}`, () => {
        expect(signals(bullish, 'buy', FALL, missing)).toEqual([]);
        expect(signals(bearish, 'sell', RISE, mirror(missing))).toEqual([]);
      });
    }
  }

  test('InvertedHammer is signalled by the higher close after it', () => {
    const inverted: Candle = [100, 101.2, 99.55, 99.6];
    expect(signals('InvertedHammer', 'buy', FALL, [inverted, [99.6, 100.3, 99.5, 100.2]])).toEqual([1]);
    expect(signals('InvertedHammer', 'buy', FALL, [inverted, [99.6, 100.3, 99.5, 99.6]])).toEqual([]);
  });

  test('HangingMan is the shape of a hammer in a rise, at once', () => {
    const hammer = HAMMER.map((price) => price + 30) as unknown as Candle;
    expect(signals('HangingMan', 'sell', RISE, [hammer])).toEqual([0]);
    expect(signals('HangingMan', 'sell', FALL, [HAMMER])).toEqual([]);
  });

  test('a bullish and a bearish pattern on the same candle cancel out', () => {
    const { strategy, params } = strategyOf('candlestick', {
      buy_patterns: ['Hammer'],
      sell_patterns: ['HangingMan'],
      trend: 0,
    });
    const run = strategy.run(params, strategy.init(params));
    const said = [...FALL, HAMMER].map((candle) => {
      const { enterLong, exitLong, enterShort, exitShort } = raised(run.onCandle(...candle, 1));
      return enterLong || exitLong || enterShort || exitShort;
    });
    expect(said).not.toContain(true);
  });
});
