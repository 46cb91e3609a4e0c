import { type Macd, macdInit, macdNext } from '../indicators/macd.ts';
import { type Rsi, rsiInit, rsiNext } from '../indicators/rsi.ts';
import { crossedDown, crossedUp } from './cross.ts';
import { fastBelowSlow } from './emaCross.ts';
import { emptySignal, raise, type Strategy } from './strategy.ts';

interface State {
  macd: Macd;
  rsi: Rsi;
}

/** The MACD histogram crosses zero; optional exit by RSI. @see strategies.md 4.1 (3) */
export const macd: Strategy<State> = {
  id: 'macd',
  title: { zh: 'MACD', en: 'MACD' },
  group: 'momentum',
  help: {
    zh: '柱线由负转正买入，由正转负卖出；可设 RSI 超买提前离场。',
    en: 'Buys when the histogram turns positive, sells when it turns negative; an overbought RSI can end a trade earlier.',
  },
  params: [
    { name: 'fast', type: 'number', value: 12, step: [2, 100, 1], title: { zh: '快线', en: 'Fast' } },
    { name: 'slow', type: 'number', value: 26, step: [3, 200, 1], title: { zh: '慢线', en: 'Slow' } },
    { name: 'signal', type: 'number', value: 9, step: [2, 100, 1], title: { zh: '信号线', en: 'Signal' } },
    {
      name: 'rsi_exit',
      type: 'number',
      value: 0,
      step: [0, 95, 1],
      title: { zh: 'RSI 离场（0 关闭）', en: 'RSI exit (0 off)' },
    },
    { name: 'rsi_length', type: 'number', value: 25, step: [2, 50, 1], title: { zh: 'RSI 长度', en: 'RSI length' } },
  ],
  check: fastBelowSlow,
  warmup: (params) => 3 * (params.slow as number) + (params.signal as number),
  series: [
    { name: 'macd', pane: 'sub', kind: 'line' },
    { name: 'signal', pane: 'sub', kind: 'line' },
    { name: 'histogram', pane: 'sub', kind: 'histogram' },
  ],
  init: (params) => ({
    macd: macdInit(params.fast as number, params.slow as number, params.signal as number),
    rsi: rsiInit(params.rsi_length as number),
  }),
  run(params, state) {
    const rsiExit = params.rsi_exit as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const before = state.macd.histogram;
        macdNext(state.macd, close);
        const now = state.macd.histogram;
        const rsi = rsiNext(state.rsi, close);
        const up = crossedUp(before, now, 0);
        const down = crossedDown(before, now, 0);
        raise(signal, up, down || (rsiExit > 0 && rsi >= rsiExit), down, up || (rsiExit > 0 && rsi <= 100 - rsiExit));
        signal.values[0] = state.macd.line;
        signal.values[1] = state.macd.signalLine;
        signal.values[2] = now;
        return signal;
      },
    };
  },
};
