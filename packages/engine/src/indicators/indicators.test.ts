import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bar, bars } from '../../test/candleSeries.ts';
import { aroonInit, aroonNext } from './aroon.ts';
import { atrInit, atrNext } from './atr.ts';
import { bollingerInit, bollingerNext } from './bollinger.ts';
import { cciInit, cciNext } from './cci.ts';
import { cmfInit, cmfNext } from './cmf.ts';
import { dmiInit, dmiNext } from './dmi.ts';
import { donchianInit, donchianNext } from './donchian.ts';
import { emaInit, emaNext, rmaInit } from './ema.ts';
import { fisherInit, fisherNext } from './fisher.ts';
import { heikinAshiInit, heikinAshiNext } from './heikinAshi.ts';
import { hmaInit, hmaNext } from './hma.ts';
import { ichimokuInit, ichimokuNext } from './ichimoku.ts';
import { keltnerInit, keltnerNext } from './keltner.ts';
import { linRegInit, linRegNext } from './linReg.ts';
import { macdInit, macdNext } from './macd.ts';
import { mfiInit, mfiNext } from './mfi.ts';
import { psarInit, psarNext } from './psar.ts';
import { rocInit, rocNext } from './roc.ts';
import { rsiInit, rsiNext } from './rsi.ts';
import { smaInit, smaNext } from './sma.ts';
import { standardDeviationInit, standardDeviationNext } from './standardDeviation.ts';
import { stochasticInit, stochasticNext } from './stochastic.ts';
import { stochRsiInit, stochRsiNext } from './stochRsi.ts';
import { superTrendInit, superTrendNext } from './superTrend.ts';
import { temaInit, temaNext } from './tema.ts';
import { trixInit, trixNext } from './trix.ts';
import { vwapInit, vwapNext } from './vwap.ts';
import { waveTrendInit, waveTrendNext } from './waveTrend.ts';
import { williamsInit, williamsNext } from './williams.ts';
import { wmaInit, wmaNext } from './wma.ts';

/*
 * A second, direct implementation of the definitions of docs/indicators.md. It works on whole series and sums every window from
 * its own candles. NaN means undefined; a NaN inside a window makes its value NaN.
 */
type Series = readonly number[];

const open = (candles: readonly Bar[]) => candles.map((candle) => candle[0]);
const high = (candles: readonly Bar[]) => candles.map((candle) => candle[1]);
const low = (candles: readonly Bar[]) => candles.map((candle) => candle[2]);
const close = (candles: readonly Bar[]) => candles.map((candle) => candle[3]);
const typical = (candles: readonly Bar[]) => candles.map(([, h, l, c]) => (h + l + c) / 3);

/** Returns `of` for every full window of n. */
function windows(x: Series, n: number, of: (window: Series) => number): number[] {
  return x.map((_, i) => (i + 1 < n ? Number.NaN : of(x.slice(i + 1 - n, i + 1))));
}

const both = (a: Series, b: Series, of: (a: number, b: number) => number) => a.map((x, i) => of(x, b[i] as number));
const sum = (x: Series) => x.reduce((total, value) => total + value, 0);
const mean = (x: Series) => sum(x) / x.length;
const sma = (x: Series, n: number) => windows(x, n, mean);
const deviation = (x: Series) => Math.sqrt(mean(x.map((value) => (value - mean(x)) ** 2)));
const highest = (x: Series, n: number) => windows(x, n, (window) => Math.max(...window));
const lowest = (x: Series, n: number) => windows(x, n, (window) => Math.min(...window));
const shifted = (x: Series, n: number) => x.map((_, i) => x[i - n] ?? Number.NaN);

function wma(x: Series, n: number): number[] {
  return windows(x, n, (window) => sum(window.map((value, i) => (i + 1) * value)) / ((n * (n + 1)) / 2));
}

function smoothed(x: Series, n: number, weight: number): number[] {
  const start = x.findIndex((value) => !Number.isNaN(value));
  let e = Number.NaN;
  return x.map((value, i) => {
    if (start < 0 || i < start + n - 1) return Number.NaN;
    e = i === start + n - 1 ? mean(x.slice(start, i + 1)) : e + weight * (value - e);
    return e;
  });
}
const ema = (x: Series, n: number) => smoothed(x, n, 2 / (n + 1));
const rma = (x: Series, n: number) => smoothed(x, n, 1 / n);

function rsi(x: Series, n: number): number[] {
  const change = both(x, shifted(x, 1), (now, before) => now - before);
  const gain = rma(
    change.map((value) => Math.max(value, 0)),
    n,
  );
  const loss = rma(
    change.map((value) => Math.max(-value, 0)),
    n,
  );
  return both(gain, loss, (up, down) => (down === 0 ? (up === 0 ? 50 : 100) : 100 - 100 / (1 + up / down)));
}

function trueRange(candles: readonly Bar[]): number[] {
  return candles.map(([, h, l], i) => {
    const before = candles[i - 1]?.[3];
    return before === undefined ? h - l : Math.max(h - l, Math.abs(h - before), Math.abs(l - before));
  });
}

function stochRsi(x: Series, r: number, s: number, k: number): number[] {
  const strength = rsi(x, r);
  const least = lowest(strength, s);
  const range = both(highest(strength, s), least, (top, bottom) => top - bottom);
  const raw = strength.map((value, i) => {
    const width = range[i] as number;
    return Number.isNaN(width) ? width : width < 1e-9 ? 50 : (100 * (value - (least[i] as number))) / width;
  });
  return sma(raw, k);
}

function directional(candles: readonly Bar[], n: number) {
  const up = both(high(candles), shifted(high(candles), 1), (now, before) => now - before);
  const down = both(shifted(low(candles), 1), low(candles), (before, now) => before - now);
  const moved = (a: number, b: number) => (Number.isNaN(a) ? a : a > b && a > 0 ? a : 0);
  const range = rma(
    trueRange(candles).map((value, i) => (i === 0 ? Number.NaN : value)),
    n,
  );
  const index = (moves: Series) => both(rma(moves, n), range, (m, r) => (r === 0 ? 0 : (100 * m) / r));
  const plus = index(both(up, down, moved));
  const minus = index(both(down, up, moved));
  const dx = both(plus, minus, (p, m) => (p + m === 0 ? 0 : (100 * Math.abs(p - m)) / (p + m)));
  return { plus, minus, adx: rma(dx, n) };
}

function superTrend(candles: readonly Bar[], a: number, k: number): number[] {
  const atr = rma(trueRange(candles), a);
  let [upper, lower, direction] = [Number.NaN, Number.NaN, 1];
  return candles.map(([, h, l, c], i) => {
    const width = k * (atr[i] as number);
    if (Number.isNaN(width)) return Number.NaN;
    const before = candles[i - 1]?.[3] as number;
    const basicUpper = (h + l) / 2 + width;
    const basicLower = (h + l) / 2 - width;
    upper = Number.isNaN(upper) || basicUpper < upper || before > upper ? basicUpper : upper;
    lower = Number.isNaN(lower) || basicLower > lower || before < lower ? basicLower : lower;
    if (direction === 1 && c < lower) direction = -1;
    else if (direction === -1 && c > upper) direction = 1;
    return direction === 1 ? lower : upper;
  });
}

/** Computes Wilder's rule for a rising market; for a falling one it applies the same rule to negated prices. */
function psar(candles: readonly Bar[], step: number, max: number): number[] {
  const found: number[] = [Number.NaN];
  const [first, second] = candles;
  if (first === undefined || second === undefined) return found.slice(0, candles.length);
  let side = second[3] >= first[3] ? 1 : -1;
  const floor = (candle: Bar) => (side === 1 ? candle[2] : -candle[1]);
  const roof = (candle: Bar) => (side === 1 ? candle[1] : -candle[2]);
  let sar = floor(first);
  let extreme = Math.max(roof(first), roof(second));
  let speed = step;
  found.push(side * sar);
  for (let i = 2; i < candles.length; i++) {
    const now = candles[i] as Bar;
    sar = Math.min(sar + speed * (extreme - sar), floor(candles[i - 1] as Bar), floor(candles[i - 2] as Bar));
    if (floor(now) < sar) {
      side = -side;
      sar = -extreme;
      extreme = roof(now);
      speed = step;
    } else if (roof(now) > extreme) {
      extreme = roof(now);
      speed = Math.min(max, speed + step);
    }
    found.push(side * sar);
  }
  return found;
}

function fisher(candles: readonly Bar[], n: number): number[] {
  const s = candles.map(([, h, l]) => (h + l) / 2);
  const [top, bottom] = [highest(s, n), lowest(s, n)];
  let [v, f] = [0, 0];
  return s.map((value, i) => {
    const [most, least] = [top[i] as number, bottom[i] as number];
    if (Number.isNaN(most)) return Number.NaN;
    const raw = most === least ? 0 : (value - least) / (most - least) - 0.5;
    v = Math.min(0.999, Math.max(-0.999, 0.66 * raw + 0.67 * v));
    f = 0.5 * Math.log((1 + v) / (1 - v)) + 0.5 * f;
    return f;
  });
}

function waveTrend(candles: readonly Bar[], channel: number, average: number): number[] {
  const tp = typical(candles);
  const e = ema(tp, channel);
  const q = ema(
    both(tp, e, (a, b) => Math.abs(a - b)),
    channel,
  );
  const ci = tp.map((value, i) => (q[i] === 0 ? 0 : (value - (e[i] as number)) / (0.015 * (q[i] as number))));
  return ema(ci, average);
}

function linearRegression(window: Series): number {
  const middle = (window.length - 1) / 2;
  const slope = sum(window.map((y, i) => (i - middle) * y)) / sum(window.map((_, i) => (i - middle) ** 2));
  return mean(window) + slope * middle;
}

/** Returns the place of the close in the range of n candles, in percent; 50 without a range. */
function placeInRange(candles: readonly Bar[], n: number): number[] {
  const [top, bottom] = [highest(high(candles), n), lowest(low(candles), n)];
  return close(candles).map((value, i) => {
    const [most, least] = [top[i] as number, bottom[i] as number];
    return most === least ? 50 : (100 * (value - least)) / (most - least);
  });
}

/** An indicator and its definition. The comparison is absolute for values closer to 0 than `least`. */
interface Case {
  readonly name: string;
  readonly lengths: readonly [number, number];
  feed(n: number): (...candle: Bar) => number;
  reference(candles: readonly Bar[], n: number): Series;
  readonly least: number | 'price';
  /** Returns the additional difference that rounding may cause, by candle. */
  doubt?(candles: readonly Bar[], n: number): Series;
}

const ofClose =
  <State>(init: (n: number) => State, next: (state: State, x: number) => number) =>
  (n: number) => {
    const state = init(n);
    return (_o: number, _h: number, _l: number, c: number) => next(state, c);
  };

const cases: readonly Case[] = [
  { name: 'SMA', lengths: [1, 40], feed: ofClose(smaInit, smaNext), reference: (x, n) => sma(close(x), n), least: 0 },
  { name: 'EMA', lengths: [1, 40], feed: ofClose(emaInit, emaNext), reference: (x, n) => ema(close(x), n), least: 0 },
  { name: 'RMA', lengths: [1, 40], feed: ofClose(rmaInit, emaNext), reference: (x, n) => rma(close(x), n), least: 0 },
  { name: 'WMA', lengths: [1, 40], feed: ofClose(wmaInit, wmaNext), reference: (x, n) => wma(close(x), n), least: 0 },
  { name: 'RSI', lengths: [1, 40], feed: ofClose(rsiInit, rsiNext), reference: (x, n) => rsi(close(x), n), least: 0 },
  {
    name: 'HMA',
    lengths: [4, 60],
    feed: ofClose(hmaInit, hmaNext),
    reference: (x, n) => {
      const raw = both(wma(close(x), Math.floor(n / 2)), wma(close(x), n), (half, full) => 2 * half - full);
      return wma(raw, Math.round(Math.sqrt(n)));
    },
    least: 'price',
  },
  {
    name: 'SD',
    lengths: [2, 40],
    feed: ofClose(standardDeviationInit, standardDeviationNext),
    reference: (x, n) => windows(close(x), n, deviation),
    least: 'price',
  },
  {
    name: 'ROC',
    lengths: [1, 40],
    feed: ofClose(rocInit, rocNext),
    reference: (x, n) => both(close(x), shifted(close(x), n), (now, before) => (100 * (now - before)) / before),
    least: 0,
  },
  {
    name: 'TRIX',
    lengths: [1, 20],
    feed: ofClose(trixInit, trixNext),
    reference: (x, n) => {
      const e = ema(ema(ema(close(x), n), n), n);
      return both(e, shifted(e, 1), (now, before) => (100 * (now - before)) / before);
    },
    least: 1,
  },
  {
    name: 'LinReg end',
    lengths: [2, 40],
    feed: ofClose(linRegInit, linRegNext),
    reference: (x, n) => windows(close(x), n, linearRegression),
    least: 'price',
  },
  {
    name: 'MACD histogram',
    lengths: [2, 15],
    feed(n) {
      const macd = macdInit(n, 2 * n, n);
      return (_o, _h, _l, c) => {
        macdNext(macd, c);
        return macd.histogram;
      };
    },
    reference: (x, n) => {
      const line = both(ema(close(x), n), ema(close(x), 2 * n), (fast, slow) => fast - slow);
      return both(line, ema(line, n), (value, signal) => value - signal);
    },
    least: 'price',
  },
  {
    name: 'ATR',
    lengths: [1, 40],
    feed(n) {
      const atr = atrInit(n);
      return (_o, h, l, c) => atrNext(atr, h, l, c);
    },
    reference: (x, n) => rma(trueRange(x), n),
    least: 'price',
  },
  {
    name: 'Bollinger upper',
    lengths: [2, 40],
    feed(n) {
      const bands = bollingerInit(n, 2);
      return (_o, _h, _l, c) => {
        bollingerNext(bands, c);
        return bands.upper;
      };
    },
    reference: (x, n) => both(sma(close(x), n), windows(close(x), n, deviation), (m, sd) => m + 2 * sd),
    least: 0,
  },
  {
    name: 'Keltner lower',
    lengths: [1, 40],
    feed(n) {
      const channel = keltnerInit(n, n + 3, 1.5);
      return (_o, h, l, c) => {
        keltnerNext(channel, h, l, c);
        return channel.lower;
      };
    },
    reference: (x, n) => both(ema(close(x), n), rma(trueRange(x), n + 3), (m, atr) => m - 1.5 * atr),
    least: 'price',
  },
  {
    name: 'Donchian upper',
    lengths: [1, 40],
    feed(n) {
      const channel = donchianInit(n);
      return (_o, h, l) => {
        donchianNext(channel, h, l);
        return channel.upper;
      };
    },
    reference: (x, n) => shifted(highest(high(x), n), 1),
    least: 0,
  },
  {
    name: 'Donchian lower',
    lengths: [1, 40],
    feed(n) {
      const channel = donchianInit(n);
      return (_o, h, l) => {
        donchianNext(channel, h, l);
        return channel.lower;
      };
    },
    reference: (x, n) => shifted(lowest(low(x), n), 1),
    least: 0,
  },
  {
    name: 'SuperTrend',
    lengths: [2, 20],
    feed(n) {
      const trend = superTrendInit(n, 2);
      return (_o, h, l, c) => superTrendNext(trend, h, l, c);
    },
    reference: (x, n) => superTrend(x, n, 2),
    least: 'price',
  },
  {
    name: 'PSAR',
    lengths: [1, 9],
    feed(n) {
      const state = psarInit(n / 50, 0.2);
      return (_o, h, l, c) => psarNext(state, h, l, c);
    },
    reference: (x, n) => psar(x, n / 50, 0.2),
    least: 0,
  },
  {
    name: 'Ichimoku span A',
    lengths: [2, 20],
    feed(n) {
      const lines = ichimokuInit(n, 2 * n, 3 * n, n + 1);
      return (_o, h, l) => {
        ichimokuNext(lines, h, l);
        return lines.spanA;
      };
    },
    reference: (x, n) => {
      const line = (length: number) => both(highest(high(x), length), lowest(low(x), length), (a, b) => (a + b) / 2);
      return shifted(
        both(line(n), line(2 * n), (a, b) => (a + b) / 2),
        n + 1,
      );
    },
    least: 0,
  },
  {
    name: '+DI',
    lengths: [1, 20],
    feed(n) {
      const dmi = dmiInit(n);
      return (_o, h, l, c) => {
        dmiNext(dmi, h, l, c);
        return dmi.plus;
      };
    },
    reference: (x, n) => directional(x, n).plus,
    least: 1,
  },
  {
    name: 'ADX',
    lengths: [1, 20],
    feed(n) {
      const dmi = dmiInit(n);
      return (_o, h, l, c) => {
        dmiNext(dmi, h, l, c);
        return dmi.adx;
      };
    },
    reference: (x, n) => directional(x, n).adx,
    least: 1,
  },
  {
    name: 'CCI',
    lengths: [1, 40],
    feed(n) {
      const cci = cciInit(n);
      return (_o, h, l, c) => cciNext(cci, h, l, c);
    },
    reference: (x, n) =>
      windows(typical(x), n, (window) => {
        const distances = mean(window.map((value) => Math.abs(value - mean(window))));
        // In a flat market the distances are only rounding errors.
        const still = distances < 1e-12 * mean(window);
        return still ? 0 : ((window.at(-1) as number) - mean(window)) / (0.015 * distances);
      }),
    // Where the prices hardly differ, dividing by their distances amplifies the rounding error of their mean.
    doubt: (x, n) =>
      windows(typical(x), n, (window) => {
        const distances = mean(window.map((value) => Math.abs(value - mean(window))));
        return distances === 0 ? 0 : (100 * 2 ** -52 * mean(window)) / distances / 0.015;
      }),
    least: 1e3,
  },
  {
    name: 'TEMA',
    lengths: [1, 20],
    feed: ofClose(temaInit, temaNext),
    reference: (x, n) => {
      const one = ema(close(x), n);
      const two = ema(one, n);
      return both(
        both(one, two, (a, b) => 3 * a - 3 * b),
        ema(two, n),
        (a, b) => a + b,
      );
    },
    least: 'price',
  },
  {
    name: 'Williams %R',
    lengths: [1, 40],
    feed(n) {
      const williams = williamsInit(n);
      return (_o, h, l, c) => williamsNext(williams, h, l, c);
    },
    reference: (x, n) => placeInRange(x, n).map((place) => place - 100),
    least: 1,
  },
  {
    name: 'stochastic K',
    lengths: [1, 40],
    feed(n) {
      const stochastic = stochasticInit(n, 3, 2);
      return (_o, h, l, c) => {
        stochasticNext(stochastic, h, l, c);
        return stochastic.k;
      };
    },
    reference: (x, n) => sma(placeInRange(x, n), 3),
    least: 1,
  },
  {
    name: 'stochastic D',
    lengths: [1, 40],
    feed(n) {
      const stochastic = stochasticInit(n, 3, 2);
      return (_o, h, l, c) => {
        stochasticNext(stochastic, h, l, c);
        return stochastic.d;
      };
    },
    reference: (x, n) => sma(sma(placeInRange(x, n), 3), 2),
    least: 1,
  },
  {
    name: 'MFI',
    lengths: [1, 40],
    feed(n) {
      const mfi = mfiInit(n);
      return (_o, h, l, c, v) => mfiNext(mfi, h, l, c, v);
    },
    reference: (x, n) => {
      const price = typical(x);
      const flow = price.map((now, i) => {
        const before = price[i - 1] ?? Number.NaN;
        return Number.isNaN(before) ? Number.NaN : Math.sign(now - before) * now * ((x[i] as Bar)[4] as number);
      });
      return windows(flow, n, (window) => {
        const up = sum(window.map((value) => Math.max(0, value)));
        const total = sum(window.map(Math.abs));
        return total === 0 ? 50 : (100 * up) / total;
      });
    },
    least: 1,
  },
  {
    name: 'CMF',
    lengths: [1, 40],
    feed(n) {
      const cmf = cmfInit(n);
      return (_o, h, l, c, v) => cmfNext(cmf, h, l, c, v);
    },
    reference: (x, n) => {
      const flow = x.map(([, h, l, c, v]) => (h === l ? 0 : ((c - l - (h - c)) / (h - l)) * v));
      const volume = windows(
        x.map((candle) => candle[4]),
        n,
        sum,
      );
      return both(windows(flow, n, sum), volume, (f, v) => (v === 0 ? 0 : f / v));
    },
    least: 1,
  },
  {
    name: 'Aroon up',
    lengths: [1, 40],
    feed(n) {
      const aroon = aroonInit(n);
      return (_o, h, l) => {
        aroonNext(aroon, h, l);
        return aroon.up;
      };
    },
    reference: (x, n) => windows(high(x), n + 1, (window) => (100 * window.lastIndexOf(Math.max(...window))) / n),
    least: 1,
  },
  {
    name: 'Aroon down',
    lengths: [1, 40],
    feed(n) {
      const aroon = aroonInit(n);
      return (_o, h, l) => {
        aroonNext(aroon, h, l);
        return aroon.down;
      };
    },
    reference: (x, n) => windows(low(x), n + 1, (window) => (100 * window.lastIndexOf(Math.min(...window))) / n),
    least: 1,
  },
  {
    name: 'StochRSI K',
    lengths: [2, 15],
    feed(n) {
      const stoch = stochRsiInit(n, n + 2, 3, 3);
      return (_o, _h, _l, c) => {
        stochRsiNext(stoch, c);
        return stoch.k;
      };
    },
    reference: (x, n) => stochRsi(close(x), n, n + 2, 3),
    least: 1,
  },
  {
    name: 'WaveTrend w2',
    lengths: [2, 15],
    feed(n) {
      const wave = waveTrendInit(n, 2 * n, 4);
      return (_o, h, l, c) => {
        waveTrendNext(wave, h, l, c);
        return wave.w2;
      };
    },
    reference: (x, n) => sma(waveTrend(x, n, 2 * n), 4),
    least: 1,
  },
  {
    name: 'VWAP',
    lengths: [1, 40],
    feed(n) {
      const vwap = vwapInit(n);
      return (_o, h, l, c, v) => vwapNext(vwap, h, l, c, v);
    },
    reference: (x, n) => {
      const turnover = windows(
        x.map(([, h, l, c, v]) => ((h + l + c) / 3) * v),
        n,
        sum,
      );
      const volume = windows(
        x.map((candle) => candle[4]),
        n,
        sum,
      );
      return both(turnover, volume, (t, v) => (v === 0 ? Number.NaN : t / v));
    },
    least: 0,
  },
  {
    name: 'Fisher',
    lengths: [1, 40],
    feed(n) {
      const state = fisherInit(n);
      return (_o, h, l) => fisherNext(state, h, l);
    },
    reference: (x, n) => fisher(x, n),
    least: 1,
  },
  {
    name: 'Heikin-Ashi open',
    lengths: [1, 1],
    feed() {
      const candle = heikinAshiInit();
      return (o, h, l, c) => {
        heikinAshiNext(candle, o, h, l, c);
        return candle.open;
      };
    },
    reference: (x) => {
      const closes = x.map(([o, h, l, c]) => (o + h + l + c) / 4);
      let before = Number.NaN;
      return open(x).map((o, i) => {
        before = i === 0 ? (o + (x[i]?.[3] as number)) / 2 : (before + (closes[i - 1] as number)) / 2;
        return before;
      });
    },
    least: 0,
  },
];

describe('every indicator equals its definition, computed for every candle, to 1e-9', () => {
  for (const { name, lengths, feed, reference, least, doubt } of cases) {
    test(name, () => {
      let compared = 0;
      fc.assert(
        fc.property(bars(1, 120), fc.integer({ min: lengths[0], max: lengths[1] }), (candles, n) => {
          const next = feed(n);
          const found = candles.map((candle) => next(...candle));
          const defined = reference(candles, n);
          const price = Math.max(...high(candles));
          const doubts = doubt?.(candles, n);
          found.forEach((value, i) => {
            const right = defined[i] as number;
            if (Number.isNaN(value) && Number.isNaN(right)) return;
            compared += 1;
            const scale = Math.max(Math.abs(right), least === 'price' ? price : least);
            if (!(Math.abs(value - right) <= 1e-9 * scale + (doubts?.[i] ?? 0))) {
              throw new Error(`${name}(${n}) of candle ${i} is ${value}, its definition ${right}`);
            }
          });
        }),
        { numRuns: 1_000 },
      );
      expect(compared).toBeGreaterThan(2_000);
    });
  }
});

describe('rolling sums', () => {
  test('stay exact after a large input leaves the window', () => {
    const mean20 = smaInit(20);
    for (const x of [...new Array(20).fill(1e17), ...new Array(19).fill(0.1)]) smaNext(mean20, x as number);
    expect(smaNext(mean20, 0.3)).toBeCloseTo((19 * 0.1 + 0.3) / 20, 14);
  });

  test('a deviation that shrinks a million times in a window is as exact as a small one', () => {
    const sd = standardDeviationInit(20);
    const wild = Array.from({ length: 20 }, (_, i) => 100 + 50 * Math.sin(i));
    const calm = Array.from({ length: 25 }, (_, i) => 100 + 1e-4 * Math.sin(7 * i));
    const found = [...wild, ...calm].map((x) => standardDeviationNext(sd, x)).at(-1) as number;
    expect(Math.abs(found / deviation(calm.slice(-20)) - 1)).toBeLessThan(1e-9);
  });
});
