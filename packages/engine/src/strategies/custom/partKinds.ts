import { type Aroon, aroonInit, aroonNext } from '../../indicators/aroon.ts';
import { type Atr, atrInit, atrNext } from '../../indicators/atr.ts';
import { type Bollinger, bollingerInit, bollingerNext } from '../../indicators/bollinger.ts';
import { type Cci, cciInit, cciNext } from '../../indicators/cci.ts';
import { type Cmf, cmfInit, cmfNext } from '../../indicators/cmf.ts';
import { type Dmi, dmiInit, dmiNext } from '../../indicators/dmi.ts';
import { type Donchian, donchianInit, donchianNext } from '../../indicators/donchian.ts';
import { emaInit, emaNext, rmaInit } from '../../indicators/ema.ts';
import { type Fisher, fisherInit, fisherNext } from '../../indicators/fisher.ts';
import { type HeikinAshi, heikinAshiInit, heikinAshiNext } from '../../indicators/heikinAshi.ts';
import { hmaInit, hmaNext } from '../../indicators/hma.ts';
import { type Ichimoku, ichimokuInit, ichimokuNext } from '../../indicators/ichimoku.ts';
import { type Keltner, keltnerInit, keltnerNext } from '../../indicators/keltner.ts';
import { linRegInit, linRegNext } from '../../indicators/linReg.ts';
import { type Macd, macdInit, macdNext } from '../../indicators/macd.ts';
import { type Mfi, mfiInit, mfiNext } from '../../indicators/mfi.ts';
import { type Psar, psarInit, psarNext } from '../../indicators/psar.ts';
import { rocInit, rocNext } from '../../indicators/roc.ts';
import { rsiInit, rsiNext } from '../../indicators/rsi.ts';
import { smaInit, smaNext } from '../../indicators/sma.ts';
import { standardDeviationInit, standardDeviationNext } from '../../indicators/standardDeviation.ts';
import { type Stochastic, stochasticInit, stochasticNext } from '../../indicators/stochastic.ts';
import { type StochRsi, stochRsiInit, stochRsiNext } from '../../indicators/stochRsi.ts';
import { type SuperTrend, superTrendInit, superTrendNext } from '../../indicators/superTrend.ts';
import { temaInit, temaNext } from '../../indicators/tema.ts';
import { trixInit, trixNext } from '../../indicators/trix.ts';
import { type Vwap, vwapInit, vwapNext } from '../../indicators/vwap.ts';
import { type WaveTrend, waveTrendInit, waveTrendNext } from '../../indicators/waveTrend.ts';
import { type Williams, williamsInit, williamsNext } from '../../indicators/williams.ts';
import { wmaInit, wmaNext } from '../../indicators/wma.ts';
import type { Range } from '../../options/item.ts';

/** Inputs of a part by name. */
export type PartInput = Readonly<Record<string, number>>;

/** Values of one candle; a part writes its outputs from `at` on. */
export interface Candle {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** An indicator for parts of a rule. */
export interface PartKind<State = unknown> {
  /** Default and range of each input. */
  readonly inputs: Readonly<Record<string, readonly [value: number, ...range: Range]>>;
  readonly outputs: readonly string[];
  /** Pane of its values: `main` for the price chart, `sub` below it. */
  readonly pane: 'main' | 'sub';
  /** Number of candles until earlier history no longer affects the values. */
  warmup(input: PartInput): number;
  init(input: PartInput): State;
  next(state: State, candle: Candle, values: number[], at: number): void;
}

const LENGTH = [2, 300, 1] as const;
const MULT = [0.1, 10, 0.1] as const;
const of = (input: PartInput, name: string) => input[name] as number;

/** An indicator of the closes with one length. */
interface CloseIndicator<State> {
  readonly pane: PartKind['pane'];
  /** Default of the length. */
  readonly length: number;
  /** 2 unless given. */
  readonly minLength?: number;
  init(length: number): State;
  next(state: State, close: number): number;
  warmup(length: number): number;
}

/** Creates an indicator with one output, `value`. */
function ofClose<State>({ pane, length, minLength = 2, init, next, warmup }: CloseIndicator<State>): PartKind<State> {
  return {
    inputs: { length: [length, minLength, LENGTH[1], 1] },
    outputs: ['value'],
    pane,
    warmup: (input) => warmup(of(input, 'length')),
    init: (input) => init(of(input, 'length')),
    next(state, candle, values, at) {
      values[at] = next(state, candle.close);
    },
  };
}

const window = (length: number) => length;
const smoothed = (length: number) => 3 * length;

const atr: PartKind<Atr> = {
  inputs: { length: [14, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => 4 * of(input, 'length'),
  init: (input) => atrInit(of(input, 'length')),
  next(state, { high, low, close }, values, at) {
    values[at] = atrNext(state, high, low, close);
  },
};

const macd: PartKind<Macd> = {
  inputs: { fast: [12, ...LENGTH], slow: [26, ...LENGTH], signal: [9, ...LENGTH] },
  outputs: ['line', 'signal', 'histogram'],
  pane: 'sub',
  warmup: (input) => 3 * Math.max(of(input, 'fast'), of(input, 'slow')) + of(input, 'signal'),
  init: (input) => macdInit(of(input, 'fast'), of(input, 'slow'), of(input, 'signal')),
  next(state, { close }, values, at) {
    macdNext(state, close);
    values[at] = state.line;
    values[at + 1] = state.signalLine;
    values[at + 2] = state.histogram;
  },
};

const bollinger: PartKind<Bollinger> = {
  inputs: { length: [20, ...LENGTH], mult: [2, ...MULT] },
  outputs: ['upper', 'middle', 'lower'],
  pane: 'main',
  warmup: (input) => of(input, 'length'),
  init: (input) => bollingerInit(of(input, 'length'), of(input, 'mult')),
  next(state, { close }, values, at) {
    bollingerNext(state, close);
    values[at] = state.upper;
    values[at + 1] = state.middle;
    values[at + 2] = state.lower;
  },
};

const keltner: PartKind<Keltner> = {
  inputs: { length: [20, ...LENGTH], atr: [10, ...LENGTH], mult: [2, ...MULT] },
  outputs: ['upper', 'basis', 'lower'],
  pane: 'main',
  warmup: (input) => 3 * Math.max(of(input, 'length'), of(input, 'atr')),
  init: (input) => keltnerInit(of(input, 'length'), of(input, 'atr'), of(input, 'mult')),
  next(state, { high, low, close }, values, at) {
    keltnerNext(state, high, low, close);
    values[at] = state.upper;
    values[at + 1] = state.basis;
    values[at + 2] = state.lower;
  },
};

const donchian: PartKind<Donchian> = {
  inputs: { length: [20, ...LENGTH] },
  outputs: ['upper', 'lower'],
  pane: 'main',
  warmup: (input) => of(input, 'length') + 1,
  init: (input) => donchianInit(of(input, 'length')),
  next(state, { high, low }, values, at) {
    donchianNext(state, high, low);
    values[at] = state.upper;
    values[at + 1] = state.lower;
  },
};

const superTrend: PartKind<SuperTrend> = {
  inputs: { length: [10, ...LENGTH], mult: [3, ...MULT] },
  outputs: ['line', 'direction'],
  pane: 'main',
  warmup: (input) => 3 * of(input, 'length') + 2,
  init: (input) => superTrendInit(of(input, 'length'), of(input, 'mult')),
  next(state, { high, low, close }, values, at) {
    values[at] = superTrendNext(state, high, low, close);
    values[at + 1] = state.direction;
  },
};

const psar: PartKind<Psar> = {
  inputs: { step: [0.02, 0.005, 0.2, 0.005], max: [0.2, 0.05, 1, 0.05] },
  outputs: ['sar', 'direction'],
  pane: 'main',
  warmup: () => 30,
  init: (input) => psarInit(of(input, 'step'), of(input, 'max')),
  next(state, { high, low, close }, values, at) {
    values[at] = psarNext(state, high, low, close);
    values[at + 1] = state.direction;
  },
};

const ichimoku: PartKind<Ichimoku> = {
  inputs: {
    tenkan: [9, ...LENGTH],
    kijun: [26, ...LENGTH],
    span_b: [52, ...LENGTH],
    displacement: [26, 1, 60, 1],
  },
  outputs: ['tenkan', 'kijun', 'span_a', 'span_b'],
  pane: 'main',
  warmup: (input) =>
    Math.max(of(input, 'tenkan'), of(input, 'kijun'), of(input, 'span_b')) + of(input, 'displacement') + 2,
  init: (input) =>
    ichimokuInit(of(input, 'tenkan'), of(input, 'kijun'), of(input, 'span_b'), of(input, 'displacement')),
  next(state, { high, low }, values, at) {
    ichimokuNext(state, high, low);
    values[at] = state.tenkan;
    values[at + 1] = state.kijun;
    values[at + 2] = state.spanA;
    values[at + 3] = state.spanB;
  },
};

const dmi: PartKind<Dmi> = {
  inputs: { length: [14, ...LENGTH] },
  outputs: ['plus', 'minus', 'adx'],
  pane: 'sub',
  warmup: (input) => 5 * of(input, 'length'),
  init: (input) => dmiInit(of(input, 'length')),
  next(state, { high, low, close }, values, at) {
    dmiNext(state, high, low, close);
    values[at] = state.plus;
    values[at + 1] = state.minus;
    values[at + 2] = state.adx;
  },
};

const cci: PartKind<Cci> = {
  inputs: { length: [14, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => of(input, 'length'),
  init: (input) => cciInit(of(input, 'length')),
  next(state, { high, low, close }, values, at) {
    values[at] = cciNext(state, high, low, close);
  },
};

const stochRsi: PartKind<StochRsi> = {
  inputs: { rsi: [14, ...LENGTH], stoch: [14, ...LENGTH], k: [3, 1, 20, 1], d: [3, 1, 20, 1] },
  outputs: ['k', 'd'],
  pane: 'sub',
  warmup: (input) => 4 * of(input, 'rsi') + of(input, 'stoch') + of(input, 'k') + of(input, 'd'),
  init: (input) => stochRsiInit(of(input, 'rsi'), of(input, 'stoch'), of(input, 'k'), of(input, 'd')),
  next(state, { close }, values, at) {
    stochRsiNext(state, close);
    values[at] = state.k;
    values[at + 1] = state.d;
  },
};

const waveTrend: PartKind<WaveTrend> = {
  inputs: { channel: [10, ...LENGTH], average: [21, ...LENGTH], signal: [4, 1, 20, 1] },
  outputs: ['w1', 'w2'],
  pane: 'sub',
  warmup: (input) => 3 * (of(input, 'channel') + of(input, 'average')),
  init: (input) => waveTrendInit(of(input, 'channel'), of(input, 'average'), of(input, 'signal')),
  next(state, { high, low, close }, values, at) {
    waveTrendNext(state, high, low, close);
    values[at] = state.w1;
    values[at + 1] = state.w2;
  },
};

const vwap: PartKind<Vwap> = {
  inputs: { length: [96, 2, 500, 1] },
  outputs: ['value'],
  pane: 'main',
  warmup: (input) => of(input, 'length') + 1,
  init: (input) => vwapInit(of(input, 'length')),
  next(state, { high, low, close, volume }, values, at) {
    values[at] = vwapNext(state, high, low, close, volume);
  },
};

const fisher: PartKind<Fisher> = {
  inputs: { length: [10, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => of(input, 'length') + 30,
  init: (input) => fisherInit(of(input, 'length')),
  next(state, { high, low }, values, at) {
    values[at] = fisherNext(state, high, low);
  },
};

const williams: PartKind<Williams> = {
  inputs: { length: [14, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => of(input, 'length'),
  init: (input) => williamsInit(of(input, 'length')),
  next(state, { high, low, close }, values, at) {
    values[at] = williamsNext(state, high, low, close);
  },
};

const stochastic: PartKind<Stochastic> = {
  inputs: { stoch: [14, ...LENGTH], k: [3, 1, 20, 1], d: [3, 1, 20, 1] },
  outputs: ['k', 'd'],
  pane: 'sub',
  warmup: (input) => of(input, 'stoch') + of(input, 'k') + of(input, 'd'),
  init: (input) => stochasticInit(of(input, 'stoch'), of(input, 'k'), of(input, 'd')),
  next(state, { high, low, close }, values, at) {
    stochasticNext(state, high, low, close);
    values[at] = state.k;
    values[at + 1] = state.d;
  },
};

const mfi: PartKind<Mfi> = {
  inputs: { length: [14, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => of(input, 'length') + 1,
  init: (input) => mfiInit(of(input, 'length')),
  next(state, { high, low, close, volume }, values, at) {
    values[at] = mfiNext(state, high, low, close, volume);
  },
};

const cmf: PartKind<Cmf> = {
  inputs: { length: [20, ...LENGTH] },
  outputs: ['value'],
  pane: 'sub',
  warmup: (input) => of(input, 'length'),
  init: (input) => cmfInit(of(input, 'length')),
  next(state, { high, low, close, volume }, values, at) {
    values[at] = cmfNext(state, high, low, close, volume);
  },
};

const aroon: PartKind<Aroon> = {
  inputs: { length: [25, ...LENGTH] },
  outputs: ['up', 'down'],
  pane: 'sub',
  warmup: (input) => of(input, 'length') + 1,
  init: (input) => aroonInit(of(input, 'length')),
  next(state, { high, low }, values, at) {
    aroonNext(state, high, low);
    values[at] = state.up;
    values[at + 1] = state.down;
  },
};

const heikinAshi: PartKind<HeikinAshi> = {
  inputs: {},
  outputs: ['ha_open', 'ha_close'],
  pane: 'main',
  warmup: () => 30,
  init: () => heikinAshiInit(),
  next(state, { open, high, low, close }, values, at) {
    heikinAshiNext(state, open, high, low, close);
    values[at] = state.open;
    values[at + 1] = state.close;
  },
};

const KINDS = {
  sma: ofClose({ pane: 'main', length: 20, init: smaInit, next: smaNext, warmup: window }),
  ema: ofClose({ pane: 'main', length: 20, init: emaInit, next: emaNext, warmup: smoothed }),
  rma: ofClose({ pane: 'main', length: 14, init: rmaInit, next: emaNext, warmup: (length) => 4 * length }),
  wma: ofClose({ pane: 'main', length: 20, init: wmaInit, next: wmaNext, warmup: window }),
  hma: ofClose({
    pane: 'main',
    length: 36,
    minLength: 4,
    init: hmaInit,
    next: hmaNext,
    warmup: (length) => length + Math.round(Math.sqrt(length)) + 2,
  }),
  sd: ofClose({ pane: 'sub', length: 20, init: standardDeviationInit, next: standardDeviationNext, warmup: window }),
  rsi: ofClose({ pane: 'sub', length: 14, init: rsiInit, next: rsiNext, warmup: (length) => 4 * length }),
  trix: ofClose({ pane: 'sub', length: 15, init: trixInit, next: trixNext, warmup: (length) => 9 * length }),
  linreg: ofClose({ pane: 'main', length: 20, init: linRegInit, next: linRegNext, warmup: window }),
  roc: ofClose({ pane: 'sub', length: 10, minLength: 1, init: rocInit, next: rocNext, warmup: (length) => length + 2 }),
  atr,
  macd,
  bollinger,
  keltner,
  donchian,
  supertrend: superTrend,
  psar,
  ichimoku,
  dmi,
  cci,
  stochrsi: stochRsi,
  wavetrend: waveTrend,
  vwap,
  fisher,
  heikin_ashi: heikinAshi,
  tema: ofClose({ pane: 'main', length: 20, init: temaInit, next: temaNext, warmup: (length) => 9 * length }),
  williams,
  stochastic,
  mfi,
  cmf,
  aroon,
};

/** Name of an indicator in a part. */
export type IndicatorName = keyof typeof KINDS;

/** The indicators of docs/indicators.md, by the name in a part. */
export const PART_KINDS: ReadonlyMap<string, PartKind> = new Map(
  // A part only runs with a state that its own kind made, so the type of the state can be dropped here.
  Object.entries(KINDS).map(([name, kind]) => [name, kind as unknown as PartKind]),
);
