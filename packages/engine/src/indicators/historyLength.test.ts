import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bar } from '../../test/candleSeries.ts';
import { aroonInit, aroonNext } from './aroon.ts';
import { bollingerInit, bollingerNext } from './bollinger.ts';
import { cciInit, cciNext } from './cci.ts';
import { cmfInit, cmfNext } from './cmf.ts';
import { donchianInit, donchianNext } from './donchian.ts';
import { hmaInit, hmaNext } from './hma.ts';
import { ichimokuInit, ichimokuNext } from './ichimoku.ts';
import { linRegInit, linRegNext } from './linReg.ts';
import { mfiInit, mfiNext } from './mfi.ts';
import { rocInit, rocNext } from './roc.ts';
import { smaInit, smaNext } from './sma.ts';
import { standardDeviationInit, standardDeviationNext } from './standardDeviation.ts';
import { stochasticInit, stochasticNext } from './stochastic.ts';
import { vwapInit, vwapNext } from './vwap.ts';
import { williamsInit, williamsNext } from './williams.ts';
import { wmaInit, wmaNext } from './wma.ts';

type Feed = (...candle: Bar) => readonly number[];

interface Windowed {
  readonly name: string;
  feed(n: number): Feed;
  /** Returns the number of candles on which its values depend. */
  window(n: number): number;
}

function ofClose<State>(init: (n: number) => State, next: (state: State, x: number) => number): Windowed['feed'] {
  return (n) => {
    const state = init(n);
    return (_open, _high, _low, close) => [next(state, close)];
  };
}

const WINDOWED: readonly Windowed[] = [
  { name: 'SMA', feed: ofClose(smaInit, smaNext), window: (n) => n },
  { name: 'WMA', feed: ofClose(wmaInit, wmaNext), window: (n) => n },
  { name: 'HMA', feed: ofClose(hmaInit, hmaNext), window: (n) => n + Math.round(Math.sqrt(n)) - 1 },
  { name: 'SD', feed: ofClose(standardDeviationInit, standardDeviationNext), window: (n) => n },
  { name: 'LinReg end', feed: ofClose(linRegInit, linRegNext), window: (n) => n },
  { name: 'ROC', feed: ofClose(rocInit, rocNext), window: (n) => n + 1 },
  {
    name: 'Bollinger',
    feed(n) {
      const bands = bollingerInit(n, 2);
      return (_open, _high, _low, close) => {
        bollingerNext(bands, close);
        return [bands.upper, bands.middle, bands.lower];
      };
    },
    window: (n) => n,
  },
  {
    name: 'CCI',
    feed(n) {
      const cci = cciInit(n);
      return (_open, high, low, close) => [cciNext(cci, high, low, close)];
    },
    window: (n) => n,
  },
  {
    name: 'VWAP',
    feed(n) {
      const vwap = vwapInit(n);
      return (_open, high, low, close, volume) => [vwapNext(vwap, high, low, close, volume)];
    },
    window: (n) => n,
  },
  {
    name: 'Williams %R',
    feed(n) {
      const williams = williamsInit(n);
      return (_open, high, low, close) => [williamsNext(williams, high, low, close)];
    },
    window: (n) => n,
  },
  {
    name: 'stochastic',
    feed(n) {
      const stochastic = stochasticInit(n, 3, 3);
      return (_open, high, low, close) => {
        stochasticNext(stochastic, high, low, close);
        return [stochastic.k, stochastic.d];
      };
    },
    window: (n) => n + 4,
  },
  {
    name: 'MFI',
    feed(n) {
      const mfi = mfiInit(n);
      return (_open, high, low, close, volume) => [mfiNext(mfi, high, low, close, volume)];
    },
    window: (n) => n + 1,
  },
  {
    name: 'CMF',
    feed(n) {
      const cmf = cmfInit(n);
      return (_open, high, low, close, volume) => [cmfNext(cmf, high, low, close, volume)];
    },
    window: (n) => n,
  },
  {
    name: 'Aroon',
    feed(n) {
      const aroon = aroonInit(n);
      return (_open, high, low) => {
        aroonNext(aroon, high, low);
        return [aroon.up, aroon.down];
      };
    },
    window: (n) => n + 1,
  },
  {
    name: 'Donchian',
    feed(n) {
      const channel = donchianInit(n);
      return (_open, high, low) => {
        donchianNext(channel, high, low);
        return [channel.upper, channel.lower];
      };
    },
    window: (n) => n + 1,
  },
  {
    name: 'Ichimoku',
    feed(n) {
      const lines = ichimokuInit(n, 2 * n, 3 * n, n);
      return (_open, high, low) => {
        ichimokuNext(lines, high, low);
        return [lines.tenkan, lines.kijun, lines.spanA, lines.spanB];
      };
    },
    window: (n) => 4 * n,
  },
];

/**
 * Prices of very different magnitudes and decimals in one series. They reveal rounding errors that a running sum keeps after a
 * price has left the window. Most series use one tick size, as exchanges do.
 */
const PRICE = fc.oneof(
  { weight: 6, arbitrary: decimals(1, 5_000, 100) },
  { weight: 2, arbitrary: decimals(1, 10_000_000, 100) },
  { weight: 1, arbitrary: decimals(1, 9_999_999, 1e8) },
  { weight: 1, arbitrary: fc.double({ min: 1e-6, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(1e12, 123_456_789.125, 1e-8, 0.1 + 0.2) },
);

function decimals(min: number, max: number, scale: number): fc.Arbitrary<number> {
  return fc.integer({ min, max }).map((units) => units / scale);
}

const SERIES = fc
  .array(fc.tuple(PRICE, decimals(0, 5, 100), decimals(0, 5, 100), decimals(0, 1_000_000, 1_000), fc.nat(12)), {
    minLength: 20,
    maxLength: 120,
    size: 'max',
  })
  .map((steps) =>
    steps.flatMap(([price, up, down, volume, times]): Bar[] => {
      const close = price + up / 2;
      const bar = [price, price + up, Math.max(1e-8, price - down), Math.round(close * 100) / 100, volume] as const;
      // Some runs of prices with one tick size are as long as a window.
      return Array.from(
        { length: times },
        (_, i): Bar => (i % 3 === 0 ? bar : [bar[0], bar[1], bar[2], price, volume]),
      );
    }),
  );

describe('a value of an indicator over a window depends on nothing before the window', () => {
  for (const { name, feed, window } of WINDOWED) {
    test(`${name} is the same to the last bit after a long history and after a short one`, () => {
      let compared = 0;
      fc.assert(
        fc.property(SERIES, fc.integer({ min: 4, max: 40 }), fc.nat(), (bars, n, cut) => {
          const from = cut % Math.max(1, bars.length - window(n));
          const long = feed(n);
          const short = feed(n);
          for (const [index, bar] of bars.entries()) {
            const values = long(...bar);
            if (index < from) continue;
            const others = short(...bar);
            if (index < from + window(n) - 1) continue;
            expect(others, `candle ${index} of ${bars.length}, history from ${from}, n ${n}`).toEqual(values);
            compared += 1;
          }
        }),
        { numRuns: 150 },
      );
      expect(compared).toBeGreaterThan(2_500);
    });
  }
});

/** Closes with a large tick size, so that a mean is often a multiple of the tick size. */
const CLOSES = fc
  .tuple(
    fc.constantFrom(10, 100, 1_000, 10_000, 1e8),
    fc.integer({ min: 1, max: 100_000_000 }),
    fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 60, maxLength: 200, size: 'max' }),
  )
  .map(([scale, start, moves]) => {
    let units = start;
    const whole = moves.map((move) => {
      units = Math.max(1, units + move);
      return units;
    });
    return { scale, whole };
  });

/** Weight of the `i`-th of `n` prices. */
type Weight = (i: number, n: number) => number;

/** Returns whether the last price is above (1), below (−1) or at (0) the weighted mean of a window, in exact arithmetic. */
function sideOfMean(window: readonly number[], weight: Weight): 1 | -1 | 0 {
  const n = window.length;
  const last = BigInt(window[n - 1] as number);
  const distance = window.reduce((sum, price, i) => sum + BigInt(weight(i, n)) * (last - BigInt(price)), 0n);
  if (distance === 0n) return 0;
  return distance > 0n ? 1 : -1;
}

describe('a price that equals a mean is neither above nor below it', () => {
  const means: Record<string, { feed: (n: number) => (close: number) => number; weight: Weight }> = {
    SMA: {
      feed(n) {
        const sma = smaInit(n);
        return (close) => smaNext(sma, close);
      },
      weight: () => 1,
    },
    'the middle of the Bollinger bands': {
      feed(n) {
        const bands = bollingerInit(n, 2);
        return (close) => {
          bollingerNext(bands, close);
          return bands.middle;
        };
      },
      weight: () => 1,
    },
    WMA: {
      feed(n) {
        const wma = wmaInit(n);
        return (close) => wmaNext(wma, close);
      },
      weight: (i) => i + 1,
    },
    'the end of a regression line': {
      feed(n) {
        const line = linRegInit(n);
        return (close) => linRegNext(line, close);
      },
      weight: (i, n) => 3 * (i + 1) - (n + 1),
    },
  };

  for (const [name, { feed, weight }] of Object.entries(means)) {
    test(`${name}: against exact arithmetic`, () => {
      let ties = 0;
      fc.assert(
        fc.property(CLOSES, fc.integer({ min: 2, max: 50 }), ({ scale, whole }, n) => {
          const next = feed(n);
          for (const [index, units] of whole.entries()) {
            const close = units / scale;
            const found = next(close);
            if (index < n - 1) continue;
            const window = whole.slice(index + 1 - n, index + 1);
            const expected = sideOfMean(window, weight);
            if (expected === 0) ties += 1;
            expect(Math.sign(close - found), `${close} against ${found} of ${window}`).toBe(expected);
          }
        }),
        { numRuns: 250 },
      );
      expect(ties).toBeGreaterThan(200);
    });
  }

  test('the CCI is exactly 100 where exact arithmetic says so', () => {
    const cci = cciInit(4);
    // Typical prices 0.1, 0.1, 0.1, 0.3: mean 0.15, mean deviation 0.075, CCI 0.15 / (0.015 · 0.075) = 133.3…
    const typical = [0.1, 0.1, 0.1, 0.3];
    expect(typical.map((price) => cciNext(cci, price, price, price)).at(-1)).toBe(400 / 3);
    const nine = cciInit(3);
    // 0.1, 0.3, 0.3: mean 0.7/3, distances 0.4/3, 0.2/3, 0.2/3, mean deviation 0.8/9: CCI exactly 50.
    expect([0.1, 0.3, 0.3].map((price) => cciNext(nine, price, price, price)).at(-1)).toBe(50);
  });
});
