import type { CandleHistory } from '@heron/contract/bots/entities.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParams } from '@heron/engine/strategies/completeParams.ts';
import { expect, test } from 'vitest';
import { withStrategyLines } from './withStrategyLines.ts';

const closes = [1, 2, 3, 4, 5, 6, 7];
const HISTORY: CandleHistory = {
  ...{ pair: 'BTC-USDT', period: '1m', time: closes.map((_, row) => row * 60_000) },
  ...{ open: closes, high: closes, low: closes, close: closes, volume: closes, series: [] },
};

test('the lines of a strategy are computed from the candles', () => {
  const strategy = STRATEGIES.get('ema_cross');
  const completed = strategy && completeParams(strategy, { fast: 2, slow: 3 });
  if (!completed?.ok) throw new Error('ema_cross has these parameters');
  const { series } = withStrategyLines(HISTORY, { id: 'ema_cross', params: completed.params });
  // An EMA starts as the mean of its first candles, and then lags a rising price by a constant.
  expect(series.slice(0, 2).map(({ values }) => values)).toEqual([
    [null, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
    [null, null, 2, 3, 4, 5, 6],
  ]);
});

test('without a valid strategy the candles have no lines', () => {
  expect(withStrategyLines(HISTORY, null)).toEqual(HISTORY);
});
