import { emptySignal, type Strategy } from './strategy.ts';
import { TITLES } from './titles.ts';

/**
 * Buys and sells between fixed prices. It gives no signals: what it orders is in `ladder/grid`.
 *
 * @see docs/strategies.md#grid
 */
export const grid: Strategy<Record<string, never>> = {
  id: 'grid',
  title: TITLES.grid,
  group: 'ladder',
  help: {
    zh: '把价格区间分成若干格，每格低买高卖，赚取震荡差价。跌破区间后会一直持有亏损的仓位，涨破区间后不再获利；不保证盈利。',
    en: 'Splits a price range into cells and in each buys low and sells high. Below the range it holds a losing position, above it earns nothing more. No profit is promised.',
  },
  params: [
    {
      name: 'lower',
      type: 'number',
      value: 0,
      step: [0, 10_000_000, 0.01],
      title: { zh: '最低价（0 为自动）', en: 'Lowest price (0: by range)' },
    },
    {
      name: 'upper',
      type: 'number',
      value: 0,
      step: [0, 10_000_000, 0.01],
      title: { zh: '最高价（0 为自动）', en: 'Highest price (0: by range)' },
    },
    {
      name: 'range_pct',
      type: 'number',
      value: 10,
      step: [1, 50, 0.5],
      show: {
        all: [
          { key: 'lower', eq: 0 },
          { key: 'upper', eq: 0 },
        ],
      },
      title: { zh: '自动区间 ±%', en: 'Range around the start ±%' },
    },
    { name: 'levels', type: 'number', value: 10, step: [2, 100, 1], title: { zh: '格数', en: 'Cells' } },
    {
      name: 'spacing',
      type: 'tab',
      value: 'geometric',
      list: ['geometric', 'arithmetic'],
      title: { zh: '间距', en: 'Spacing' },
      words: {
        geometric: { zh: '等比', en: 'Same ratio' },
        arithmetic: { zh: '等差', en: 'Same distance' },
      },
    },
    { name: 'initial_buy', type: 'bool', value: true, title: { zh: '启动时建仓', en: 'Buy at the start' } },
    { name: 'recentre', type: 'bool', value: false, title: { zh: '突破后重置区间', en: 'Follow the price' } },
  ],
  check: ({ lower, upper }) => {
    if (lower === 0 && upper === 0) return null;
    return (lower as number) > 0 && (lower as number) < (upper as number)
      ? null
      : { zh: '最高价必须大于最低价，或两者都为 0', en: 'upper must be above lower, or both 0' };
  },
  warmup: () => 1,
  series: () => [],
  init: () => ({}),
  run(_params, state) {
    const signal = emptySignal(0);
    return { state, onCandle: () => signal };
  },
};
