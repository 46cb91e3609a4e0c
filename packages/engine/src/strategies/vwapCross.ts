import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import { type Vwap, vwapInit, vwapNext } from '../indicators/vwap.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

interface State {
  ema: Ema;
  vwap: Vwap;
  /** EMA less VWAP one candle ago. */
  before: number;
}

/** An exponential mean crosses the rolling VWAP. @see docs/strategies.md#vwap_cross */
export const vwapCross: Strategy<State> = {
  id: 'vwap_cross',
  title: TITLES.vwap_cross,
  group: 'volume',
  help: {
    zh: '均线上穿成交量加权均价买入，下穿卖出。没有成交量时不发信号；震荡行情会反复亏损。',
    en: 'Buys when the average rises above the volume-weighted price, sells when it falls below. No volume, no signal; loses repeatedly in flat markets.',
  },
  params: [
    { name: 'fast', type: 'number', value: 30, step: [2, 200, 1], title: { zh: '均线长度', en: 'Average' } },
    { name: 'length', type: 'number', value: 96, step: [5, 500, 1], title: { zh: 'VWAP 长度', en: 'VWAP length' } },
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
};
