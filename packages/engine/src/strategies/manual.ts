import { emptySignal, type Strategy } from './strategy.ts';
import { TITLES } from './titles.ts';

/** Never signals; exit tables and manual orders work. @see docs/strategies.md#manual */
export const manual: Strategy<Record<string, never>> = {
  id: 'manual',
  title: TITLES.manual,
  group: 'none',
  help: {
    zh: '不发出任何信号，只执行手动下单和止盈止损表。',
    en: 'Never signals; only manual orders and the exit tables act.',
  },
  params: [],
  warmup: () => 0,
  series: () => [],
  init: () => ({}),
  run(_params, state) {
    const signal = emptySignal(0);
    return { state, onCandle: () => signal };
  },
};
