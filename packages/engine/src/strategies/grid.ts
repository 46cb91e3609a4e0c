import { emptySignal, type Strategy } from './strategy.ts';
/**
 * Trades a grid between fixed prices. It never signals; `grid/` plans its orders.
 *
 * @see docs/strategies.md#grid
 */
export const grid = {
  id: 'grid',
  group: 'orderPlan',
  params: [
    {
      name: 'lower',
      type: 'number',
      value: 0,
      step: [0, 10_000_000, 0.01],
      apply: 'next_plan',
    },
    {
      name: 'upper',
      type: 'number',
      value: 0,
      step: [0, 10_000_000, 0.01],
      apply: 'next_plan',
    },
    {
      name: 'range_pct',
      type: 'number',
      value: 10,
      step: [1, 50, 0.5],
      apply: 'next_plan',
      show: {
        all: [
          { key: 'lower', eq: 0 },
          { key: 'upper', eq: 0 },
        ],
      },
    },
    { name: 'levels', type: 'number', value: 10, step: [2, 100, 1], apply: 'next_plan' },
    {
      name: 'spacing',
      type: 'tab',
      value: 'geometric',
      list: ['geometric', 'arithmetic'],
      apply: 'next_plan',
    },
    { name: 'initial_buy', type: 'bool', value: true, apply: 'next_plan' },
    { name: 'recentre', type: 'bool', value: false, apply: 'now' },
  ],
  check: ({ lower, upper }) => {
    if (lower === 0 && upper === 0) return null;
    return (lower as number) > 0 && (lower as number) < (upper as number) ? null : { code: 'grid_bounds' };
  },
  warmup: () => 1,
  series: () => [],
  init: () => ({}),
  run(_params, state) {
    const signal = emptySignal(0);
    return { state, onCandle: () => signal };
  },
} as const satisfies Strategy<Record<string, never>>;
