import { emptySignal, type Strategy } from './strategy.ts';
/** Never signals; exits and manual orders still work. @see docs/strategies.md#manual */
export const manual = {
  id: 'manual',
  group: 'none',
  params: [],
  warmup: () => 0,
  series: () => [],
  init: () => ({}),
  run(_params, state) {
    const signal = emptySignal(0);
    return { state, onCandle: () => signal };
  },
} as const satisfies Strategy<Record<string, never>>;
