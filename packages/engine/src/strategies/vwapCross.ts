import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type Vwap, vwapInit, vwapNext } from '../indicators/vwap.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  ema: Ema;
  vwap: Vwap;
  /** EMA less VWAP at the previous candle. */
  before: number;
}

/** Signals when an exponential mean crosses the rolling VWAP. @see docs/strategies.md#vwap_cross */
export const vwapCross = {
  id: 'vwap_cross',
  group: 'volume',
  params: [
    { name: 'fast', type: 'number', value: 30, step: [2, 200, 1] },
    { name: 'length', type: 'number', value: 96, step: [5, 500, 1] },
  ],
  warmup: (params) => Math.max(3 * (params.fast as number), (params.length as number) + 1),
  series: () => [
    { name: 'fast', pane: 'main', kind: 'line' },
    { name: 'vwap', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({
    ema: emaInit(params.fast as number),
    vwap: vwapInit(params.length as number),
    before: Number.NaN,
  }),
  run(_params, state) {
    const signal = emptySignal(2);
    return {
      state,
      onCandle(_open, high, low, close, volume) {
        const ema = emaNext(state.ema, close);
        const vwap = vwapNext(state.vwap, high, low, close, volume);
        const { before } = state;
        const now = ema - vwap;
        state.before = now;
        signalBoth(signal, crossedUp(before, now, 0), crossedDown(before, now, 0));
        signal.values[0] = ema;
        signal.values[1] = vwap;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
