import { type Fisher, fisherInit, fisherNext } from '../indicators/fisher.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  fisher: Fisher;
  /** Transform of the previous candle; `beforeThat` is that of the candle before it. */
  before: number;
  beforeThat: number;
}

/** Signals when the Fisher transform reverses in an extreme. @see docs/strategies.md#fisher */
export const fisher = {
  id: 'fisher',
  group: 'reversion',
  params: [
    { name: 'length', type: 'number', value: 10, step: [3, 100, 1] },
    { name: 'extreme', type: 'number', value: 1.5, step: [0, 5, 0.1] },
  ],
  warmup: (params) => (params.length as number) + 30,
  series: () => [{ name: 'fisher', pane: 'sub', kind: 'line' }],
  init: (params) => ({
    fisher: fisherInit(params.length as number),
    before: Number.NaN,
    beforeThat: Number.NaN,
  }),
  run(params, state) {
    const extreme = params.extreme as number;
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, high, low) {
        const { before, beforeThat } = state;
        const now = fisherNext(state.fisher, high, low);
        state.beforeThat = before;
        state.before = now;
        signalBoth(
          signal,
          now > before && before <= beforeThat && before <= -extreme,
          now < before && before >= beforeThat && before >= extreme,
        );
        signal.values[0] = now;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
