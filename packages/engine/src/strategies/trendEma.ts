import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import {
  type StandardDeviation,
  standardDeviationInit,
  standardDeviationNext,
} from '../indicators/standardDeviation.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  ema: Ema;
  zone: StandardDeviation;
  /** Last direction beyond the neutral zone: +1, −1, 0 before the first. */
  trend: number;
}

/** Signals when the slope of an exponential mean leaves a neutral zone. @see docs/strategies.md#trend_ema */
export const trendEma = {
  id: 'trend_ema',
  group: 'trend',
  params: [
    { name: 'length', type: 'number', value: 26, step: [5, 200, 1] },
    {
      name: 'neutral',
      type: 'tab',
      value: 'auto',
      list: ['auto', 'fixed'],
    },
    {
      name: 'rate',
      type: 'number',
      value: 0.06,
      step: [0, 1, 0.01],
    },
  ],
  warmup: (params) => 3 * (params.length as number),
  series: () => [
    { name: 'ema', pane: 'main', kind: 'line' },
    { name: 'slope', pane: 'sub', kind: 'histogram' },
    { name: 'zone', pane: 'sub', kind: 'line' },
  ],
  init: (params) => ({
    ema: emaInit(params.length as number),
    zone: standardDeviationInit(Math.max(2, Math.floor((params.length as number) / 2))),
    trend: 0,
  }),
  run(params, state) {
    const fixed = params.neutral === 'fixed';
    const rate = params.rate as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const before = state.ema.value;
        const ema = emaNext(state.ema, close);
        const slope = (100 * (ema - before)) / before;
        const deviation = Number.isNaN(slope) ? Number.NaN : standardDeviationNext(state.zone, slope);
        const zone = fixed ? rate : deviation;
        const buy = slope > zone && state.trend !== 1;
        const sell = slope < -zone && state.trend !== -1;
        if (buy) state.trend = 1;
        else if (sell) state.trend = -1;
        signalBoth(signal, buy, sell);
        signal.values[0] = ema;
        signal.values[1] = slope;
        signal.values[2] = zone;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
