import { type Roc, rocInit, rocNext } from '../indicators/roc.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  roc: Roc;
  /** ROC of the previous candle. */
  before: number;
  /** Last direction: +1, −1, 0 before the first. */
  trend: number;
}

/** Signals when the change over n candles is beyond a threshold and increasing. @see docs/strategies.md#momentum */
export const momentum = {
  id: 'momentum',
  group: 'momentum',
  params: [
    { name: 'length', type: 'number', value: 10, step: [1, 100, 1] },
    { name: 'threshold', type: 'number', value: 0, step: [0, 10, 0.1] },
  ],
  warmup: (params) => (params.length as number) + 2,
  series: () => [{ name: 'roc', pane: 'sub', kind: 'line' }],
  init: (params) => ({ roc: rocInit(params.length as number), before: Number.NaN, trend: 0 }),
  run(params, state) {
    const threshold = params.threshold as number;
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { before } = state;
        const now = rocNext(state.roc, close);
        state.before = now;
        const buy = now > threshold && now > before && state.trend !== 1;
        const sell = now < -threshold && now < before && state.trend !== -1;
        if (buy) state.trend = 1;
        else if (sell) state.trend = -1;
        signalBoth(signal, buy, sell);
        signal.values[0] = now;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
