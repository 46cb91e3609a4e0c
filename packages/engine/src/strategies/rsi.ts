import { type Rsi, rsiInit, rsiNext, rsiOf } from '../indicators/rsi.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { bothFlags } from './flags.ts';
import { emptySignal, MAX_AT_ONCE, type Strategy } from './strategy.ts';

interface State {
  rsi: Rsi;
  /** RSI of the previous candle. */
  before: number;
}

/** Buffer for one call of `onCandles`, shared by all runs, since a worker has thousands of runs. */
const rsis = new Float64Array(MAX_AT_ONCE);

/** Signals when the RSI returns from an extreme. @see docs/strategies.md#rsi */
export const rsi = {
  id: 'rsi',
  group: 'reversion',
  params: [
    { name: 'length', type: 'number', value: 14, step: [2, 100, 1] },
    { name: 'low', type: 'number', value: 30, step: [1, 50, 1] },
    { name: 'high', type: 'number', value: 70, step: [50, 99, 1] },
  ],
  warmup: (params) => 4 * (params.length as number),
  series: () => [{ name: 'rsi', pane: 'sub', kind: 'line' }],
  init: (params) => ({ rsi: rsiInit(params.length as number), before: Number.NaN }),
  run(params, state) {
    const low = params.low as number;
    const high = params.high as number;
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const now = rsiNext(state.rsi, close);
        signal.flags = flagsBetween(state.before, now, low, high);
        signal.values[0] = now;
        state.before = now;
        return signal;
      },
      onCandles({ close }, from, to, flags) {
        rsiOf(state.rsi, close, from, to, rsis);
        state.before = flagsAfter(state.before, to - from, low, high, flags);
      },
    };
  },
} as const satisfies Strategy<State>;

/** Writes the flags of `count` candles, whose values are in {@link rsis}. @returns the last of these values */
function flagsAfter(rsi: number, count: number, low: number, high: number, flags: Uint8Array): number {
  let before = rsi;
  for (let i = 0; i < count; i++) {
    const now = rsis[i] as number;
    flags[i] = flagsBetween(before, now, low, high);
    before = now;
  }
  return before;
}

/** Returns the flags for the RSI of two consecutive candles. */
function flagsBetween(before: number, now: number, low: number, high: number): number {
  return bothFlags(crossedUp(before, now, low), crossedDown(before, now, high));
}
