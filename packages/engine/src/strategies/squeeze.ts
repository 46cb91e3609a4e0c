import { type Bollinger, bollingerInit, bollingerNext } from '../indicators/bollinger.ts';
import { type Extreme, extremeInit, highestNext, lowestNext } from '../indicators/extreme.ts';
import { type Keltner, keltnerInit, keltnerNext } from '../indicators/keltner.ts';
import { type LinReg, linRegInit, linRegNext } from '../indicators/linReg.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  bands: Bollinger;
  channel: Keltner;
  highs: Extreme;
  lows: Extreme;
  line: LinReg;
  /** Momentum of the previous candle. */
  before: number;
  /** Squeeze state of the previous candle: 1 yes, 0 no, NaN while undefined. */
  squeezed: number;
}

/** Signals when the Bollinger bands leave the Keltner channel after a squeeze. @see docs/strategies.md#squeeze */
export const squeeze = {
  id: 'squeeze',
  group: 'volatility',
  params: [
    { name: 'length', type: 'number', value: 20, step: [5, 100, 1] },
    {
      name: 'bb',
      type: 'number',
      value: 2,
      step: [0.5, 5, 0.1],
    },
    { name: 'kc', type: 'number', value: 1.5, step: [0.5, 5, 0.1] },
  ],
  warmup: (params) => 3 * (params.length as number) + 2,
  series: () => [
    { name: 'momentum', pane: 'sub', kind: 'histogram' },
    { name: 'squeezed', pane: 'sub', kind: 'dot' },
  ],
  init(params) {
    const length = params.length as number;
    return {
      bands: bollingerInit(length, params.bb as number),
      channel: keltnerInit(length, length, params.kc as number),
      highs: extremeInit(length),
      lows: extremeInit(length),
      line: linRegInit(length),
      before: Number.NaN,
      squeezed: Number.NaN,
    };
  },
  run(_params, state) {
    const signal = emptySignal(2);
    return {
      state,
      onCandle(_open, high, low, close) {
        const { bands, channel } = state;
        bollingerNext(bands, close);
        keltnerNext(channel, high, low, close);
        const middle = (highestNext(state.highs, high) + lowestNext(state.lows, low)) / 2;
        const distance = close - (middle + bands.middle) / 2;
        const before = state.before;
        const now = Number.isNaN(distance) ? Number.NaN : linRegNext(state.line, distance);
        state.before = now;
        const inside = bands.upper < channel.upper && bands.lower > channel.lower;
        const squeezed = Number.isNaN(bands.upper) || Number.isNaN(channel.upper) ? Number.NaN : inside ? 1 : 0;
        const released = state.squeezed === 1 && squeezed === 0;
        state.squeezed = squeezed;
        raise(signal, released && now > 0, crossedDown(before, now, 0), released && now < 0, crossedUp(before, now, 0));
        signal.values[0] = now;
        signal.values[1] = squeezed;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
