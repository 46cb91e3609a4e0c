import { type Ema, emaInit, emaNext } from '../indicators/ema.ts';
import {
  type StandardDeviation,
  standardDeviationInit,
  standardDeviationNext,
} from '../indicators/standardDeviation.ts';
import { emptySignal, type Strategy, signalBoth } from './strategy.ts';
import { TITLES } from './titles.ts';

interface State {
  ema: Ema;
  zone: StandardDeviation;
  /** Last direction beyond the neutral zone: +1, −1, 0 before the first. */
  trend: number;
}

/** The slope of an exponential mean leaves a neutral zone. @see docs/strategies.md#trend_ema */
export const trendEma: Strategy<State> = {
  id: 'trend_ema',
  title: TITLES.trend_ema,
  group: 'trend',
  help: {
    zh: '均线斜率向上超出中性区买入，向下超出卖出。趋势行情有利，震荡行情易亏损。',
    en: 'Buys when the average rises faster than a neutral zone, sells when it falls faster. Made for trends; loses in flat markets.',
  },
  params: [
    { name: 'length', type: 'number', value: 26, step: [5, 200, 1], title: { zh: '均线长度', en: 'Length' } },
    {
      name: 'neutral',
      type: 'tab',
      value: 'auto',
      list: ['auto', 'fixed'],
      words: { auto: { zh: '自动', en: 'Automatic' }, fixed: { zh: '固定', en: 'Fixed' } },
      title: { zh: '中性区', en: 'Neutral zone' },
    },
    {
      name: 'rate',
      type: 'number',
      value: 0.06,
      step: [0, 1, 0.01],
      title: { zh: '固定中性区 %', en: 'Fixed zone %' },
    },
  ],
  warmup: (params) => 3 * (params.length as number),
  series: () => [
    { name: 'ema', pane: 'main', kind: 'line' },
    { name: 'slope', pane: 'sub', kind: 'histogram' },
    { name: 'zone', pane: 'sub', kind: 'line' },
  ],
  init: (params) => ({
    ema: emaInit(params.length as number),
    zone: standardDeviationInit(Math.max(2, Math.floor((params.length as number) / 2))),
    trend: 0,
  }),
  run(params, state) {
    const fixed = params.neutral === 'fixed';
    const rate = params.rate as number;
    const signal = emptySignal(3);
    return {
      state,
      onCandle(_open, _high, _low, close) {
        const before = state.ema.value;
        const ema = emaNext(state.ema, close);
        const slope = (100 * (ema - before)) / before;
        const deviation = Number.isNaN(slope) ? Number.NaN : standardDeviationNext(state.zone, slope);
        const zone = fixed ? rate : deviation;
        const buy = slope > zone && state.trend !== 1;
        const sell = slope < -zone && state.trend !== -1;
        if (buy) state.trend = 1;
        else if (sell) state.trend = -1;
        signalBoth(signal, buy, sell);
        signal.values[0] = ema;
        signal.values[1] = slope;
        signal.values[2] = zone;
        return signal;
      },
    };
  },
};
