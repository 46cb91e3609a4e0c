import { type Trix, trixInit, trixNext } from '../indicators/trix.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

interface State {
  trix: Trix;
  /** TRIX one candle ago. */
  before: number;
}

/** TRIX crosses zero. @see docs/strategies.md#trix */
export const trix: Strategy<State> = {
  id: 'trix',
  title: TITLES.trix,
  group: 'momentum',
  help: {
    zh: '三重平滑均线的变化率上穿零轴买入，下穿卖出。平滑但滞后，反转时入场较晚。',
    en: 'Buys when the slope of a triple average turns positive, sells when it turns negative. Smooth but late.',
  },
  params: [{ name: 'length', type: 'number', value: 15, step: [3, 60, 1], title: { zh: '长度', en: 'Length' } }],
  warmup: (params) => 9 * (params.length as number),
  series: () => [{ name: 'trix', pane: 'sub', kind: 'line' }],
  init: (params) => ({ trix: trixInit(params.length as number), before: Number.NaN }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const { before } = state;
        const now = trixNext(state.trix, close);
        state.before = now;
        signalBoth(signal, crossedUp(before, now, 0), crossedDown(before, now, 0));
        signal.values[0] = now;
        return signal;
      },
    };
  },
};
