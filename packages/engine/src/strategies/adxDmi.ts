import { type Dmi, dmiInit, dmiNext } from '../indicators/dmi.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  dmi: Dmi;
}

/** Enters when a trend with a strong ADX begins, and exits when the DI lines cross. @see docs/strategies.md#adx_dmi */
export const adxDmi = {
  id: 'adx_dmi',
  group: 'trend',
  params: [
    { name: 'length', type: 'number', value: 14, step: [2, 100, 1] },
    { name: 'threshold', type: 'number', value: 25, step: [5, 60, 1] },
  ],
  warmup: (params) => 5 * (params.length as number),
  series: () => [
    { name: 'adx', pane: 'sub', kind: 'line' },
    { name: 'plus_di', pane: 'sub', kind: 'line' },
    { name: 'minus_di', pane: 'sub', kind: 'line' },
  ],
  init: (params) => ({ dmi: dmiInit(params.length as number) }),
  run(params, state) {
    const threshold = params.threshold as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, high, low, close) {
        const { dmi } = state;
        const adxBefore = dmi.adx;
        const before = dmi.plus - dmi.minus;
        dmiNext(dmi, high, low, close);
        const now = dmi.plus - dmi.minus;
        const strong = dmi.adx >= threshold && !Number.isNaN(adxBefore);
        const strongBefore = adxBefore >= threshold;
        raise(
          signal,
          strong && now > 0 && !(strongBefore && before > 0),
          crossedDown(before, now, 0),
          strong && now < 0 && !(strongBefore && before < 0),
          crossedUp(before, now, 0),
        );
        signal.values[0] = dmi.adx;
        signal.values[1] = dmi.plus;
        signal.values[2] = dmi.minus;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
