import { atrInit, atrNext } from '@heron/engine/indicators/atr.ts';
import { bollingerInit, bollingerNext } from '@heron/engine/indicators/bollinger.ts';
import { emaInit, emaNext } from '@heron/engine/indicators/ema.ts';
import { macdInit, macdNext } from '@heron/engine/indicators/macd.ts';
import { rsiInit, rsiNext } from '@heron/engine/indicators/rsi.ts';
import { smaInit, smaNext } from '@heron/engine/indicators/sma.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { loadPeer } from './peers.ts';

/** Fills a column with one value a candle, as many as there are candles. @returns the last value */
export type Fill = (candles: CandleColumns, room: Float64Array) => number;

/** One indicator in four ways. */
export interface IndicatorCase {
  readonly name: string;
  /** Our indicator in a loop that owns its state, so that the compiler may keep it in registers. */
  readonly own: Fill;
  /** The same with a state that others can see at any candle, as that of a bot. */
  readonly kept: Fill;
  /** The formula written into a loop over Float64Array. */
  readonly bare: Fill;
  readonly peer: Fill;
}

interface Series<Input, Result> {
  update(input: Input, replace: boolean): Result | null;
}

interface TradingSignals {
  readonly SMA: new (length: number) => Series<number, number>;
  readonly EMA: new (length: number) => Series<number, number>;
  readonly RSI: new (length: number) => Series<number, number>;
  readonly MACD: new (
    fast: Series<number, number>,
    slow: Series<number, number>,
    signal: Series<number, number>,
  ) => Series<number, { readonly histogram: number }>;
  readonly ATR: new (length: number) => Series<{ high: number; low: number; close: number }, number>;
  readonly BollingerBands: new (length: number, mult: number) => Series<number, { readonly upper: number }>;
}

const WINDOW = 20;
const WILDER = 14;
const MULT = 2;
const [FAST, SLOW, SIGNAL] = [12, 26, 9];

/** A place outside every loop: what is stored here lives in memory. */
const shelf: { state: unknown } = { state: null };

function keep<State>(state: State): State {
  shelf.state = state;
  return state;
}

/**
 * Cases of SMA and EMA 20, RSI and ATR 14, MACD 12/26/9 and Bollinger bands 20/2. The peer is `trading-signals`
 * (https://github.com/bennycode/trading-signals), which also takes one value at a time. Each loop is written out,
 * because V8 would compile a shared loop for all indicators at once.
 */
export async function indicatorCases(): Promise<IndicatorCase[]> {
  const peer = await loadPeer<TradingSignals>('trading-signals');
  return [
    {
      name: 'sma',
      own: ({ close, length }, room) => {
        const state = smaInit(WINDOW);
        for (let i = 0; i < length; i++) room[i] = smaNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      kept: ({ close, length }, room) => {
        const state = keep(smaInit(WINDOW));
        for (let i = 0; i < length; i++) room[i] = smaNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      bare: bareSma,
      peer: ({ close, length }, room) => {
        const series = new peer.SMA(WINDOW);
        for (let i = 0; i < length; i++) room[i] = series.update(close[i] as number, false) ?? Number.NaN;
        return room[length - 1] as number;
      },
    },
    {
      name: 'ema',
      own: ({ close, length }, room) => {
        const state = emaInit(WINDOW);
        for (let i = 0; i < length; i++) room[i] = emaNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      kept: ({ close, length }, room) => {
        const state = keep(emaInit(WINDOW));
        for (let i = 0; i < length; i++) room[i] = emaNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      bare: bareEma,
      peer: ({ close, length }, room) => {
        const series = new peer.EMA(WINDOW);
        for (let i = 0; i < length; i++) room[i] = series.update(close[i] as number, false) ?? Number.NaN;
        return room[length - 1] as number;
      },
    },
    {
      name: 'rsi',
      own: ({ close, length }, room) => {
        const state = rsiInit(WILDER);
        for (let i = 0; i < length; i++) room[i] = rsiNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      kept: ({ close, length }, room) => {
        const state = keep(rsiInit(WILDER));
        for (let i = 0; i < length; i++) room[i] = rsiNext(state, close[i] as number);
        return room[length - 1] as number;
      },
      bare: bareRsi,
      peer: ({ close, length }, room) => {
        const series = new peer.RSI(WILDER);
        for (let i = 0; i < length; i++) room[i] = series.update(close[i] as number, false) ?? Number.NaN;
        return room[length - 1] as number;
      },
    },
    {
      name: 'macd',
      own: ({ close, length }, room) => {
        const state = macdInit(FAST, SLOW, SIGNAL);
        for (let i = 0; i < length; i++) {
          macdNext(state, close[i] as number);
          room[i] = state.histogram;
        }
        return room[length - 1] as number;
      },
      kept: ({ close, length }, room) => {
        const state = keep(macdInit(FAST, SLOW, SIGNAL));
        for (let i = 0; i < length; i++) {
          macdNext(state, close[i] as number);
          room[i] = state.histogram;
        }
        return room[length - 1] as number;
      },
      bare: bareMacd,
      peer: ({ close, length }, room) => {
        const series = new peer.MACD(new peer.EMA(FAST), new peer.EMA(SLOW), new peer.EMA(SIGNAL));
        for (let i = 0; i < length; i++) room[i] = series.update(close[i] as number, false)?.histogram ?? Number.NaN;
        return room[length - 1] as number;
      },
    },
    {
      name: 'atr',
      own: ({ high, low, close, length }, room) => {
        const state = atrInit(WILDER);
        for (let i = 0; i < length; i++)
          room[i] = atrNext(state, high[i] as number, low[i] as number, close[i] as number);
        return room[length - 1] as number;
      },
      kept: ({ high, low, close, length }, room) => {
        const state = keep(atrInit(WILDER));
        for (let i = 0; i < length; i++)
          room[i] = atrNext(state, high[i] as number, low[i] as number, close[i] as number);
        return room[length - 1] as number;
      },
      bare: bareAtr,
      peer: ({ high, low, close, length }, room) => {
        const series = new peer.ATR(WILDER);
        for (let i = 0; i < length; i++) {
          const candle = { high: high[i] as number, low: low[i] as number, close: close[i] as number };
          room[i] = series.update(candle, false) ?? Number.NaN;
        }
        return room[length - 1] as number;
      },
    },
    {
      name: 'bollinger',
      own: ({ close, length }, room) => {
        const state = bollingerInit(WINDOW, MULT);
        for (let i = 0; i < length; i++) {
          bollingerNext(state, close[i] as number);
          room[i] = state.upper;
        }
        return room[length - 1] as number;
      },
      kept: ({ close, length }, room) => {
        const state = keep(bollingerInit(WINDOW, MULT));
        for (let i = 0; i < length; i++) {
          bollingerNext(state, close[i] as number);
          room[i] = state.upper;
        }
        return room[length - 1] as number;
      },
      bare: bareBollinger,
      peer: ({ close, length }, room) => {
        const series = new peer.BollingerBands(WINDOW, MULT);
        for (let i = 0; i < length; i++) room[i] = series.update(close[i] as number, false)?.upper ?? Number.NaN;
        return room[length - 1] as number;
      },
    },
  ];
}

function bareSma({ close, length }: CandleColumns, room: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    sum += close[i] as number;
    if (i >= WINDOW) sum -= close[i - WINDOW] as number;
    room[i] = sum / WINDOW;
  }
  return room[length - 1] as number;
}

function bareEma({ close, length }: CandleColumns, room: Float64Array): number {
  const weight = 2 / (WINDOW + 1);
  let mean = close[0] as number;
  for (let i = 0; i < length; i++) {
    mean += weight * ((close[i] as number) - mean);
    room[i] = mean;
  }
  return room[length - 1] as number;
}

function bareRsi({ close, length }: CandleColumns, room: Float64Array): number {
  let gain = 0;
  let loss = 0;
  let before = close[0] as number;
  for (let i = 0; i < length; i++) {
    const change = (close[i] as number) - before;
    before = close[i] as number;
    gain += ((change > 0 ? change : 0) - gain) / WILDER;
    loss += ((change < 0 ? -change : 0) - loss) / WILDER;
    room[i] = 100 - 100 / (1 + gain / loss);
  }
  return room[length - 1] as number;
}

function bareMacd({ close, length }: CandleColumns, room: Float64Array): number {
  let fast = close[0] as number;
  let slow = fast;
  let signal = 0;
  for (let i = 0; i < length; i++) {
    const x = close[i] as number;
    fast += (2 / (FAST + 1)) * (x - fast);
    slow += (2 / (SLOW + 1)) * (x - slow);
    signal += (2 / (SIGNAL + 1)) * (fast - slow - signal);
    room[i] = fast - slow - signal;
  }
  return room[length - 1] as number;
}

function bareAtr({ high, low, close, length }: CandleColumns, room: Float64Array): number {
  let mean = 0;
  let before = close[0] as number;
  for (let i = 0; i < length; i++) {
    const top = high[i] as number;
    const bottom = low[i] as number;
    mean += ((top > before ? top : before) - (bottom < before ? bottom : before) - mean) / WILDER;
    before = close[i] as number;
    room[i] = mean;
  }
  return room[length - 1] as number;
}

/** Bollinger bands from running sums of values and squares: fast, but the last digits drift. */
function bareBollinger({ close, length }: CandleColumns, room: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const x = close[i] as number;
    const old = i < WINDOW ? 0 : (close[i - WINDOW] as number);
    sum += x - old;
    squares += x * x - old * old;
    const mean = sum / WINDOW;
    room[i] = mean + MULT * Math.sqrt(squares / WINDOW - mean * mean);
  }
  return room[length - 1] as number;
}
