import { type Ichimoku, ichimokuInit, ichimokuNext } from '../indicators/ichimoku.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  ichimoku: Ichimoku;
  close: number;
  /** Combined state of the previous candle: +1 all conditions for long, −1 all for short, 0 neither, NaN while undefined. */
  stance: number;
}

/** Signals when the price leaves the cloud with the lines in order. @see docs/strategies.md#ichimoku */
export const ichimoku = {
  id: 'ichimoku',
  group: 'trend',
  params: [
    { name: 'tenkan', type: 'number', value: 9, step: [3, 60, 1] },
    { name: 'kijun', type: 'number', value: 26, step: [5, 120, 1] },
    { name: 'span_b', type: 'number', value: 52, step: [10, 240, 1] },
    { name: 'displacement', type: 'number', value: 26, step: [1, 60, 1] },
    {
      name: 'exit_on',
      type: 'tab',
      value: 'cloud',
      list: ['cloud', 'kijun'],
    },
  ],
  warmup: (params) => (params.span_b as number) + (params.displacement as number) + 2,
  series: () => [
    { name: 'tenkan', pane: 'main', kind: 'line' },
    { name: 'kijun', pane: 'main', kind: 'line' },
    { name: 'span_a', pane: 'main', kind: 'line' },
    { name: 'span_b', pane: 'main', kind: 'line' },
  ],
  init: (params) => ({
    ichimoku: ichimokuInit(
      params.tenkan as number,
      params.kijun as number,
      params.span_b as number,
      params.displacement as number,
    ),
    close: Number.NaN,
    stance: Number.NaN,
  }),
  run(params, state) {
    const byCloud = params.exit_on === 'cloud';
    const signal = emptySignal(4);
    return {
      state,
      onCandle(_open, high, low, close) {
        const lines = state.ichimoku;
        const overTop = state.close - (byCloud ? Math.max(lines.spanA, lines.spanB) : lines.kijun);
        const overBottom = state.close - (byCloud ? Math.min(lines.spanA, lines.spanB) : lines.kijun);
        const before = state.stance;
        ichimokuNext(lines, high, low);
        state.close = close;
        const top = Math.max(lines.spanA, lines.spanB);
        const bottom = Math.min(lines.spanA, lines.spanB);
        const order = lines.tenkan - lines.kijun;
        const undefinedYet = Number.isNaN(top) || Number.isNaN(order);
        const now = undefinedYet ? Number.NaN : close > top && order > 0 ? 1 : close < bottom && order < 0 ? -1 : 0;
        state.stance = now;
        const defined = !Number.isNaN(before) && !undefinedYet;
        raise(
          signal,
          defined && now === 1 && before !== 1,
          defined && crossedDown(overTop, close - (byCloud ? top : lines.kijun), 0),
          defined && now === -1 && before !== -1,
          defined && crossedUp(overBottom, close - (byCloud ? bottom : lines.kijun), 0),
        );
        signal.values[0] = lines.tenkan;
        signal.values[1] = lines.kijun;
        signal.values[2] = lines.spanA;
        signal.values[3] = lines.spanB;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
