import { type SuperTrend, superTrendInit, superTrendNext } from '../indicators/superTrend.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  trend: SuperTrend;
}

/** Signals when the SuperTrend reverses. @see docs/strategies.md#supertrend */
export const superTrend = {
  id: 'supertrend',
  group: 'trend',
  params: [
    { name: 'length', type: 'number', value: 10, step: [2, 100, 1] },
    { name: 'mult', type: 'number', value: 3, step: [0.5, 10, 0.1] },
  ],
  warmup: (params) => 3 * (params.length as number) + 2,
  series: () => [{ name: 'supertrend', pane: 'main', kind: 'line' }],
  init: (params) => ({ trend: superTrendInit(params.length as number, params.mult as number) }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, high, low, close) {
        const before = state.trend.direction;
        const line = superTrendNext(state.trend, high, low, close);
        const now = state.trend.direction;
        signalBoth(signal, before === -1 && now === 1, before === 1 && now === -1);
        signal.values[0] = line;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
