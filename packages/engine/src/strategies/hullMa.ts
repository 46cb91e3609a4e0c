import { type Hma, hmaInit, hmaNext } from '../indicators/hma.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  hma: Hma;
  /** Mean of the previous candle; `beforeThat` is that of the candle before it. */
  before: number;
  beforeThat: number;
}

/** Signals when Hull's mean changes direction. @see docs/strategies.md#hull_ma */
export const hullMa = {
  id: 'hull_ma',
  group: 'trend',
  params: [{ name: 'length', type: 'number', value: 36, step: [4, 200, 1] }],
  warmup: (params) => (params.length as number) + Math.round(Math.sqrt(params.length as number)) + 2,
  series: () => [{ name: 'hma', pane: 'main', kind: 'line' }],
  init: (params) => ({ hma: hmaInit(params.length as number), before: Number.NaN, beforeThat: Number.NaN }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { before, beforeThat } = state;
        const now = hmaNext(state.hma, close);
        state.beforeThat = before;
        state.before = now;
        signalBoth(signal, now > before && before <= beforeThat, now < before && before >= beforeThat);
        signal.values[0] = now;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
