import { type Keltner, keltnerInit, keltnerNext } from '../indicators/keltner.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy, signalBoth } from './strategy.ts';

interface State {
  channel: Keltner;
  close: number;
}

/** Signals when the price breaks out of a Keltner channel, or returns into it. @see docs/strategies.md#keltner */
export const keltner = {
  id: 'keltner',
  group: 'volatility',
  params: [
    { name: 'length', type: 'number', value: 20, step: [5, 200, 1] },
    { name: 'atr', type: 'number', value: 10, step: [2, 100, 1] },
    { name: 'mult', type: 'number', value: 2, step: [0.5, 5, 0.1] },
    {
      name: 'mode',
      type: 'tab',
      value: 'breakout',
      list: ['breakout', 'reversion'],
    },
  ],
  warmup: (params) => 3 * Math.max(params.length as number, params.atr as number),
  series: () => [
    { name: 'upper', pane: 'main', kind: 'line' },
    { name: 'basis', pane: 'main', kind: 'line' },
    { name: 'lower', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({
    channel: keltnerInit(params.length as number, params.atr as number, params.mult as number),
    close: Number.NaN,
  }),
  run(params, state) {
    const breakout = params.mode === 'breakout';
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, high, low, close) {
        const { channel } = state;
        const overUpper = state.close - channel.upper;
        const overBasis = state.close - channel.basis;
        const overLower = state.close - channel.lower;
        keltnerNext(channel, high, low, close);
        state.close = close;
        if (breakout) {
          // The basis can be defined before the channel; the rule waits for the channel.
          const defined = !Number.isNaN(overUpper);
          raise(
            signal,
            crossedUp(overUpper, close - channel.upper, 0),
            defined && crossedDown(overBasis, close - channel.basis, 0),
            crossedDown(overLower, close - channel.lower, 0),
            defined && crossedUp(overBasis, close - channel.basis, 0),
          );
        } else {
          signalBoth(
            signal,
            crossedUp(overLower, close - channel.lower, 0),
            crossedDown(overUpper, close - channel.upper, 0),
          );
        }
        signal.values[0] = channel.upper;
        signal.values[1] = channel.basis;
        signal.values[2] = channel.lower;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
