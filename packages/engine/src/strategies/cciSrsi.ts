import { type Cci, cciInit, cciNext } from '../indicators/cci.ts';
import { type StochRsi, stochRsiInit, stochRsiNext } from '../indicators/stochRsi.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  cci: Cci;
  stoch: StochRsi;
  /** CCI of the previous candle. */
  cciBefore: number;
}

/** Signals when CCI and StochRSI both reverse from an extreme. @see docs/strategies.md#cci_srsi */
export const cciSrsi = {
  id: 'cci_srsi',
  group: 'reversion',
  params: [
    { name: 'cci', type: 'number', value: 14, step: [5, 100, 1] },
    { name: 'cci_low', type: 'number', value: -100, step: [-300, 0, 1] },
    {
      name: 'cci_high',
      type: 'number',
      value: 100,
      step: [0, 300, 1],
    },
    { name: 'rsi', type: 'number', value: 14, step: [2, 50, 1] },
    { name: 'stoch', type: 'number', value: 9, step: [2, 50, 1] },
    { name: 'k', type: 'number', value: 3, step: [1, 20, 1] },
    { name: 'd', type: 'number', value: 3, step: [1, 20, 1] },
    { name: 'k_low', type: 'number', value: 20, step: [1, 50, 1] },
    { name: 'k_high', type: 'number', value: 80, step: [50, 99, 1] },
  ],
  warmup: (params) =>
    Math.max(params.cci as number, 4 * (params.rsi as number) + (params.stoch as number) + (params.k as number)),
  series: () => [
    { name: 'cci', pane: 'sub', kind: 'line' },
    { name: 'k', pane: 'bottom', kind: 'line' },
    { name: 'd', pane: 'bottom', kind: 'line' },
  ],
  init: (params) => ({
    cci: cciInit(params.cci as number),
    stoch: stochRsiInit(params.rsi as number, params.stoch as number, params.k as number, params.d as number),
    cciBefore: Number.NaN,
  }),
  run(params, state) {
    const cciLow = params.cci_low as number;
    const cciHigh = params.cci_high as number;
    const kLow = params.k_low as number;
    const kHigh = params.k_high as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, high, low, close) {
        const { stoch, cciBefore } = state;
        const kBefore = stoch.k;
        stochRsiNext(stoch, close);
        const cci = cciNext(state.cci, high, low, close);
        state.cciBefore = cci;
        signalBoth(
          signal,
          cciBefore <= cciLow && kBefore <= kLow && cci > cciBefore && stoch.k > kBefore,
          cciBefore >= cciHigh && kBefore >= kHigh && cci < cciBefore && stoch.k < kBefore,
        );
        signal.values[0] = cci;
        signal.values[1] = stoch.k;
        signal.values[2] = stoch.d;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
