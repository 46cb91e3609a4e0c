import { type Ema, emaCopy, emaInit, emaKeep, emaNext } from '../indicators/ema.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { bothFlags } from './flags.ts';
import { emptySignal, type Params, type Strategy } from './strategy.ts';

interface State {
  fast: Ema;
  slow: Ema;
  /** Distance of the averages at the previous candle, in percent of the slow one. */
  distance: number;
}

/** Signals when two exponential means cross. @see docs/strategies.md#ema_cross */
export const emaCross = {
  id: 'ema_cross',
  group: 'trend',
  params: [
    { name: 'fast', type: 'number', value: 10, step: [2, 100, 1] },
    { name: 'slow', type: 'number', value: 21, step: [3, 300, 1] },
    { name: 'band', type: 'number', value: 0, step: [0, 2, 0.05] },
  ],
  check: fastBelowSlow,
  warmup: (params) => 3 * (params.slow as number),
  series: () => [
    { name: 'fast', pane: 'main', kind: 'line' },
    { name: 'slow', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({
    fast: emaInit(params.fast as number),
    slow: emaInit(params.slow as number),
    distance: Number.NaN,
  }),
  run(params, state) {
    const band = params.band as number;
    const crossing = { state, band };
    const signal = emptySignal(2);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        signal.flags = next(state, band, close);
        signal.values[0] = state.fast.value;
        signal.values[1] = state.slow.value;
        return signal;
      },
      onCandles({ close }, from, to, flags) {
        flagsOf(crossing, close, from, to, flags);
      },
    };
  },
} as const satisfies Strategy<State>;

/** A run of the strategy, with its band in percent. */
interface Crossing {
  readonly state: State;
  readonly band: number;
}

/** Writes the flags of the closes from `from` to before `to`. */
function flagsOf({ state, band }: Crossing, close: Float64Array, from: number, to: number, flags: Uint8Array): void {
  const own = { fast: emaCopy(state.fast), slow: emaCopy(state.slow), distance: state.distance };
  for (let i = from; i < to; i++) flags[i - from] = next(own, band, close[i] as number);
  emaKeep(state.fast, own.fast);
  emaKeep(state.slow, own.slow);
  state.distance = own.distance;
}

/** Returns the flags of the next candle. @param band percent */
function next(state: State, band: number, close: number): number {
  const fast = emaNext(state.fast, close);
  const slow = emaNext(state.slow, close);
  const before = state.distance;
  const now = (100 * (fast - slow)) / slow;
  state.distance = now;
  return bothFlags(crossedUp(before, now, band), crossedDown(before, now, -band));
}

/** Rejects a fast average that is not shorter than the slow one. */
export function fastBelowSlow(params: Params) {
  return (params.fast as number) < (params.slow as number) ? null : ({ code: 'fast_not_below_slow' } as const);
}
