import { type Trix, trixInit, trixNext } from '../indicators/trix.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  trix: Trix;
  /** TRIX of the previous candle. */
  before: number;
}

/** Signals when TRIX crosses zero. @see docs/strategies.md#trix */
export const trix = {
  id: 'trix',
  group: 'momentum',
  params: [{ name: 'length', type: 'number', value: 15, step: [3, 60, 1] }],
  warmup: (params) => 9 * (params.length as number),
  series: () => [{ name: 'trix', pane: 'sub', kind: 'line' }],
  init: (params) => ({ trix: trixInit(params.length as number), before: Number.NaN }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { before } = state;
        const now = trixNext(state.trix, close);
        state.before = now;
        signalBoth(signal, crossedUp(before, now, 0), crossedDown(before, now, 0));
        signal.values[0] = now;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
