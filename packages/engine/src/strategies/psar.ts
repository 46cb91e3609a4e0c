import { type Psar, psarInit, psarNext } from '../indicators/psar.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

interface State {
  psar: Psar;
}

/** The parabolic SAR turns. @see docs/strategies.md#psar */
export const psar: Strategy<State> = {
  id: 'psar',
  title: TITLES.psar,
  group: 'trend',
  help: {
    zh: 'SAR 由上翻到价格下方买入，由下翻到上方卖出。震荡行情中信号频繁，易亏损。',
    en: 'Buys when the SAR turns below the price, sells when it turns above. Turns often and loses in flat markets.',
  },
  params: [
    { name: 'step', type: 'number', value: 0.02, step: [0.005, 0.2, 0.005], title: { zh: '步长', en: 'Step' } },
    { name: 'max', type: 'number', value: 0.2, step: [0.05, 1, 0.05], title: { zh: '最大步长', en: 'Maximum' } },
  ],
  check: (params) =>
    (params.max as number) >= (params.step as number)
      ? null
      : { zh: '最大步长不能小于步长', en: 'max must not be below step' },
  warmup: () => 30,
  series: () => [{ name: 'sar', pane: 'main', kind: 'dot' }],
  init: (params) => ({ psar: psarInit(params.step as number, params.max as number) }),
  run(_params, state) {
    const signal = emptySignal(1);
    return {
      state,
      onCandle(_open, high, low, close) {
        const before = state.psar.direction;
        const sar = psarNext(state.psar, high, low, close);
        const now = state.psar.direction;
        signalBoth(signal, before === -1 && now === 1, before === 1 && now === -1);
        signal.values[0] = sar;
        return signal;
      },
    };
  },
};
