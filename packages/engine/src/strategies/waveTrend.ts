import { type WaveTrend, waveTrendInit, waveTrendNext } from '../indicators/waveTrend.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';

interface State {
  wave: WaveTrend;
}

/** Signals when the WaveTrend lines cross in an extreme. @see docs/strategies.md#wavetrend */
export const waveTrend = {
  id: 'wavetrend',
  group: 'momentum',
  params: [
    { name: 'channel', type: 'number', value: 10, step: [2, 50, 1] },
    { name: 'average', type: 'number', value: 21, step: [2, 100, 1] },
    { name: 'signal', type: 'number', value: 4, step: [1, 20, 1] },
    { name: 'high', type: 'number', value: 53, step: [10, 100, 1] },
    { name: 'low', type: 'number', value: -53, step: [-100, -10, 1] },
  ],
  warmup: (params) => 3 * ((params.channel as number) + (params.average as number)),
  series: () => [
    { name: 'wave', pane: 'sub', kind: 'line' },
    { name: 'signal', pane: 'sub', kind: 'line' },
  ],
  init: (params) => ({
    wave: waveTrendInit(params.channel as number, params.average as number, params.signal as number),
  }),
  run(params, state) {
    const high = params.high as number;
    const low = params.low as number;
    const signal = emptySignal(2);
    return {
      state,
      onCandle(_open, top, bottom, close) {
        const { wave } = state;
        const waveBefore = wave.w1;
        const before = wave.w1 - wave.w2;
        waveTrendNext(wave, top, bottom, close);
        const now = wave.w1 - wave.w2;
        signalBoth(
          signal,
          crossedUp(before, now, 0) && waveBefore < low,
          crossedDown(before, now, 0) && waveBefore > high,
        );
        signal.values[0] = wave.w1;
        signal.values[1] = wave.w2;
        return signal;
      },
    };
  },
} as const satisfies Strategy<State>;
