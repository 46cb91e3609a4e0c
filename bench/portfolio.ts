import { type BacktestResult, runBacktest } from '@heron/engine/backtest/backtest.ts';
import type { CandleColumns } from '@heron/engine/market/candle.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { AS_USED, checkedOptions } from './heron.ts';

/** EMA 12/26 on several pairs that share one wallet. */
export function runPortfolio(markets: readonly Market[], candles: readonly CandleColumns[]): BacktestResult {
  const watched = markets.map(({ pair }) => pair).join(',');
  const options = checkedOptions({ ...AS_USED, strategy: 'ema_cross', period: '1m', watch_pairs: watched });
  const pairs = markets.map((market, k) => ({
    market,
    candles: candles[k] as CandleColumns,
    candleMs: PERIODS['1m'],
  }));
  return runBacktest({ pairs, options, params: { fast: 12, slow: 26 } });
}
