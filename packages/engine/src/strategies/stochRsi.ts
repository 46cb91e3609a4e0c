import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type StochRsi, stochRsiInit, stochRsiNext } from '../indicators/stochRsi.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  stoch: StochRsi;
  /** Mean for the trend filter; its length is 1 and it is unused when the filter is off. */
  trend: Ema;
}

/** Signals when the StochRSI lines cross in an extreme, in the direction of the trend. @see docs/strategies.md#stoch_rsi */
export const stochRsi = {
  id: 'stoch_rsi',
  group: 'reversion',
  params: [
    { name: 'rsi', type: 'number', value: 14, step: [2, 50, 1] },
    { name: 'stoch', type: 'number', value: 14, step: [2, 50, 1] },
    { name: 'k', type: 'number', value: 3, step: [1, 20, 1] },
    { name: 'd', type: 'number', value: 3, step: [1, 20, 1] },
    { name: 'low', type: 'number', value: 20, step: [1, 50, 1] },
    { name: 'high', type: 'number', value: 80, step: [50, 99, 1] },
    {
      name: 'trend',
      type: 'number',
      value: 100,
      step: [0, 300, 1],
    },
  ],
  warmup: (params) =>
    Math.max(
      4 * (params.rsi as number) + (params.stoch as number) + (params.k as number) + (params.d as number),
      3 * (params.trend as number),
    ),
  series: () => [
    { name: 'trend', pane: 'main', kind: 'line' },
    { name: 'k', pane: 'sub', kind: 'line' },
    { name: 'd', pane: 'sub', kind: 'line' },
  ],
  init: (params) => ({
    stoch: stochRsiInit(params.rsi as number, params.stoch as number, params.k as number, params.d as number),
    trend: emaInit(Math.max(1, params.trend as number)),
  }),
  run(params, state) {
    const low = params.low as number;
    const high = params.high as number;
    const filtered = (params.trend as number) > 0;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { stoch } = state;
        const kBefore = stoch.k;
        const before = stoch.k - stoch.d;
        stochRsiNext(stoch, close);
        const trend = filtered ? emaNext(state.trend, close) : Number.NaN;
        const now = stoch.k - stoch.d;
        const up = crossedUp(before, now, 0) && kBefore < low;
        const down = crossedDown(before, now, 0) && kBefore > high;
        raise(signal, up && (!filtered || close > trend), down, down && (!filtered || close < trend), up);
        signal.values[0] = trend;
        signal.values[1] = stoch.k;
        signal.values[2] = stoch.d;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
