import { type Bollinger, bollingerInit, bollingerNext } from '../indicators/bollinger.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  bands: Bollinger;
  close: number;
}

/** Signals when the price returns inside a Bollinger band. @see docs/strategies.md#bollinger */
export const bollinger = {
  id: 'bollinger',
  group: 'reversion',
  params: [
    { name: 'size', type: 'number', value: 20, step: [5, 200, 1] },
    { name: 'mult', type: 'number', value: 2, step: [0.5, 5, 0.1] },
    {
      name: 'exit_at',
      type: 'tab',
      value: 'opposite',
      list: ['opposite', 'middle'],
    },
  ],
  warmup: (params) => (params.size as number) + 2,
  series: () => [
    { name: 'upper', pane: 'main', kind: 'line' },
    { name: 'middle', pane: 'main', kind: 'line' },
    { name: 'lower', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({ bands: bollingerInit(params.size as number, params.mult as number), close: Number.NaN }),
  run(params, state) {
    const atMiddle = params.exit_at === 'middle';
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { bands } = state;
        const overUpper = state.close - bands.upper;
        const overMiddle = state.close - bands.middle;
        const overLower = state.close - bands.lower;
        bollingerNext(bands, close);
        state.close = close;
        const up = crossedUp(overLower, close - bands.lower, 0);
        const down = crossedDown(overUpper, close - bands.upper, 0);
        raise(
          signal,
          up,
          down || (atMiddle && crossedUp(overMiddle, close - bands.middle, 0)),
          down,
          up || (atMiddle && crossedDown(overMiddle, close - bands.middle, 0)),
        );
        signal.values[0] = bands.upper;
        signal.values[1] = bands.middle;
        signal.values[2] = bands.lower;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
