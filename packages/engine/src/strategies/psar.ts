import { type Psar, psarInit, psarNext } from '../indicators/psar.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  psar: Psar;
}

/** Signals when the parabolic SAR reverses. @see docs/strategies.md#psar */
export const psar = {
  id: 'psar',
  group: 'trend',
  params: [
    { name: 'step', type: 'number', value: 0.02, step: [0.005, 0.2, 0.005] },
    { name: 'max', type: 'number', value: 0.2, step: [0.05, 1, 0.05] },
  ],
  check: (params) => ((params.max as number) >= (params.step as number) ? null : { code: 'max_below_step' }),
  warmup: () => 30,
  series: () => [{ name: 'sar', pane: 'main', kind: 'dot' }],
  init: (params) => ({ psar: psarInit(params.step as number, params.max as number) }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, high, low, close) {
        const before = state.psar.direction;
        const sar = psarNext(state.psar, high, low, close);
        const now = state.psar.direction;
        signalBoth(signal, before === -1 && now === 1, before === 1 && now === -1);
        signal.values[0] = sar;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
