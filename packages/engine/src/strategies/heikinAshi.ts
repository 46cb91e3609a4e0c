import { type HeikinAshi, heikinAshiInit, heikinAshiNext } from '../indicators/heikinAshi.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  candle: HeikinAshi;
  /** Colour of the newest Heikin-Ashi candle: +1, −1 or 0; NaN before the first. */
  colour: number;
  /** Number of newest candles of this colour in a row. */
  run: number;
  /** Whether a candle of another colour precedes them. */
  turned: boolean;
}

/** Signals when Heikin-Ashi candles change colour and keep the new one. @see docs/strategies.md#heikin_ashi */
export const heikinAshi = {
  id: 'heikin_ashi',
  group: 'trend',
  params: [{ name: 'confirm', type: 'number', value: 2, step: [1, 10, 1] }],
  warmup: () => 30,
  series: () => [
    { name: 'ha_open', pane: 'main', kind: 'line' },
    { name: 'ha_close', pane: 'main', kind: 'line' },
  ],
  init: () => ({ candle: heikinAshiInit(), colour: Number.NaN, run: 0, turned: false }),
  run(params, state) {
    const confirm = params.confirm as number;
    const signal = emptySignal(2);
    return {
      state,
      onCandle(open, high, low, close) {
        const { candle } = state;
        heikinAshiNext(candle, open, high, low, close);
        const colour = candle.close > candle.open ? 1 : candle.close < candle.open ? -1 : 0;
        if (colour === state.colour) {
          state.run += 1;
        } else {
          state.turned = !Number.isNaN(state.colour);
          state.colour = colour;
          state.run = 1;
        }
        const confirmed = state.turned && state.run === confirm;
        signalBoth(signal, confirmed && colour === 1, confirmed && colour === -1);
        signal.values[0] = candle.open;
        signal.values[1] = candle.close;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
