import { type Fisher, fisherInit, fisherNext } from '../indicators/fisher.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

interface State {
  fisher: Fisher;
  /** The transform one and two candles ago. */
  before: number;
  beforeThat: number;
}

/** The Fisher transform turns in an extreme. @see docs/strategies.md#fisher */
export const fisher: Strategy<State> = {
  id: 'fisher',
  title: TITLES.fisher,
  group: 'reversion',
  help: {
    zh: '费舍尔值在低位拐头向上买入，高位拐头向下卖出。单边行情中会过早逆势。',
    en: 'Buys when the Fisher transform turns up from a low, sells when it turns down from a high. Turns too early in strong trends.',
  },
  params: [
    { name: 'length', type: 'number', value: 10, step: [3, 100, 1], title: { zh: '长度', en: 'Length' } },
    { name: 'extreme', type: 'number', value: 1.5, step: [0, 5, 0.1], title: { zh: '极值', en: 'Extreme' } },
  ],
  warmup: (params) => (params.length as number) + 30,
  series: () => [{ name: 'fisher', pane: 'sub', kind: 'line' }],
  init: (params) => ({
    fisher: fisherInit(params.length as number),
    before: Number.NaN,
    beforeThat: Number.NaN,
  }),
  run(params, state) {
    const extreme = params.extreme as number;
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, high, low) {
        const { before, beforeThat } = state;
        const now = fisherNext(state.fisher, high, low);
        state.beforeThat = before;
        state.before = now;
        signalBoth(
          signal,
          now > before && before <= beforeThat && before <= -extreme,
          now < before && before >= beforeThat && before >= extreme,
        );
        signal.values[0] = now;
        return signal;
      },
    };
  },
};
