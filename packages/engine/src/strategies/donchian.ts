import { type Donchian, donchianInit, donchianNext } from '../indicators/donchian.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  entry: Donchian;
  exit: Donchian;
}

/** Signals when the close leaves the range of the last candles (turtle rule, no pyramiding). @see docs/strategies.md#donchian */
export const donchian = {
  id: 'donchian',
  group: 'trend',
  params: [
    { name: 'entry', type: 'number', value: 20, step: [5, 300, 1] },
    { name: 'exit', type: 'number', value: 10, step: [2, 200, 1] },
  ],
  check: (params) => ((params.exit as number) <= (params.entry as number) ? null : { code: 'exit_above_entry' }),
  warmup: (params) => (params.entry as number) + 1,
  series: () => [
    { name: 'upper', pane: 'main', kind: 'line' },
    { name: 'lower', pane: 'main', kind: 'line' },
    { name: 'exit_upper', pane: 'main', kind: 'line' },
    { name: 'exit_lower', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({ entry: donchianInit(params.entry as number), exit: donchianInit(params.exit as number) }),
  run(_params, state) {
    const signal = emptySignal(4);
    return {
      state,
      onCandle(_open, high, low, close) {
        const { entry, exit } = state;
        donchianNext(entry, high, low);
        donchianNext(exit, high, low);
        raise(signal, close > entry.upper, close < exit.lower, close < entry.lower, close > exit.upper);
        signal.values[0] = entry.upper;
        signal.values[1] = entry.lower;
        signal.values[2] = exit.upper;
        signal.values[3] = exit.lower;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
