import { type Ichimoku, ichimokuInit, ichimokuNext } from '../indicators/ichimoku.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  ichimoku: Ichimoku;
  close: number;
  /** {@link stanceOf} of the previous candle. */
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
        const { ichimoku: lines, stance: before } = state;
        const overLongExit = state.close - longExit(lines, byCloud);
        const overShortExit = state.close - shortExit(lines, byCloud);
        ichimokuNext(lines, high, low);
        const now = stanceOf(lines, close);
        state.close = close;
        state.stance = now;
        const defined = !Number.isNaN(before) && !Number.isNaN(now);
        raise(
          signal,
          defined && now === 1 && before !== 1,
          defined && crossedDown(overLongExit, close - longExit(lines, byCloud), 0),
          defined && now === -1 && before !== -1,
          defined && crossedUp(overShortExit, close - shortExit(lines, byCloud), 0),
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

/** Returns +1 when all conditions for a long hold, −1 when all for a short hold, 0 for neither, NaN while a line is undefined. */
function stanceOf({ tenkan, kijun, spanA, spanB }: Ichimoku, close: number): number {
  const top = Math.max(spanA, spanB);
  const bottom = Math.min(spanA, spanB);
  const order = tenkan - kijun;
  if (Number.isNaN(top) || Number.isNaN(order)) return Number.NaN;
  if (close > top && order > 0) return 1;
  return close < bottom && order < 0 ? -1 : 0;
}

/** Returns the price below which a long exits. */
function longExit({ kijun, spanA, spanB }: Ichimoku, byCloud: boolean): number {
  return byCloud ? Math.max(spanA, spanB) : kijun;
}

/** Returns the price above which a short exits. */
function shortExit({ kijun, spanA, spanB }: Ichimoku, byCloud: boolean): number {
  return byCloud ? Math.min(spanA, spanB) : kijun;
}
