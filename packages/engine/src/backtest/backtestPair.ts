import type { CandleColumns } from '../market/candle.ts';
import type { Market } from '../market/market.ts';

/** One pair of a backtest. */
export interface BacktestPair {
  market: Market;
  /** Closed candles, oldest first: of the strategy's period, or shorter ones that compose it. */
  candles: CandleColumns;
  /** Length of those candles in ms. */
  candleMs: number;
  /** Payments of a future; without them positions pay no funding. */
  funding?: FundingColumns;
}

/** Funding payments of one future: settlement times ascending, rates as fractions, marks 0 where unknown. */
export interface FundingColumns {
  readonly time: Float64Array;
  readonly rate: Float64Array;
  readonly mark: Float64Array;
}
