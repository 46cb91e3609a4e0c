import { type Macd, macdInit, macdNext, macdOf } from '../indicators/macd.ts';
import { type Rsi, rsiInit, rsiNext, rsiOf } from '../indicators/rsi.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { fastBelowSlow } from './emaCross.ts';
import { flagsOf } from './flags.ts';
import { emptySignal, MAX_AT_ONCE, type Strategy } from './strategy.ts';

interface State {
  macd: Macd;
  rsi: Rsi;
}

/** Buffers for one call of `onCandles`, shared by all runs, since a worker has thousands of runs. */
const histograms = new Float64Array(MAX_AT_ONCE);
const rsis = new Float64Array(MAX_AT_ONCE);

/** Signals when the MACD histogram crosses zero, with an optional exit by RSI. @see docs/strategies.md#macd */
export const macd = {
  id: 'macd',
  group: 'momentum',
  params: [
    { name: 'fast', type: 'number', value: 12, step: [2, 100, 1] },
    { name: 'slow', type: 'number', value: 26, step: [3, 200, 1] },
    { name: 'signal', type: 'number', value: 9, step: [2, 100, 1] },
    {
      name: 'rsi_exit',
      type: 'number',
      value: 0,
      step: [0, 95, 1],
    },
    { name: 'rsi_length', type: 'number', value: 25, step: [2, 50, 1] },
  ],
  check: fastBelowSlow,
  warmup: (params) => 3 * (params.slow as number) + (params.signal as number),
  series: () => [
    { name: 'macd', pane: 'sub', kind: 'line' },
    { name: 'signal', pane: 'sub', kind: 'line' },
    { name: 'histogram', pane: 'sub', kind: 'histogram' },
  ],
  init: (params) => ({
    macd: macdInit(params.fast as number, params.slow as number, params.signal as number),
    rsi: rsiInit(params.rsi_length as number),
  }),
  run(params, state) {
    const rsiExit = params.rsi_exit as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const before = state.macd.histogram;
        macdNext(state.macd, close);
        signal.flags = flagsBetween(before, state.macd.histogram, rsiNext(state.rsi, close), rsiExit);
        signal.values[0] = state.macd.line;
        signal.values[1] = state.macd.signalLine;
        signal.values[2] = state.macd.histogram;
        return signal;
      },
      onCandles({ close }, from, to, flags) {
        const before = state.macd.histogram;
        macdOf(state.macd, close, from, to, histograms);
        rsiOf(state.rsi, close, from, to, rsis);
        flagsAfter(before, to - from, rsiExit, flags);
      },
    };
  },
} as const satisfies Strategy<State>;

/** Writes the flags of `count` candles, whose values are in {@link histograms} and {@link rsis}. */
function flagsAfter(histogram: number, count: number, rsiExit: number, flags: Uint8Array): void {
  let before = histogram;
  for (let i = 0; i < count; i++) {
    const now = histograms[i] as number;
    flags[i] = flagsBetween(before, now, rsis[i] as number, rsiExit);
    before = now;
  }
}

/** Returns the flags for the histograms of two consecutive candles and the RSI of the second one. @param rsiExit 0 for none */
function flagsBetween(before: number, now: number, rsi: number, rsiExit: number): number {
  const up = crossedUp(before, now, 0);
  const down = crossedDown(before, now, 0);
  return flagsOf(up, down || (rsiExit > 0 && rsi >= rsiExit), down, up || (rsiExit > 0 && rsi <= 100 - rsiExit));
}
