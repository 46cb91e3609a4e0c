import type { Market } from '@heron/engine/market/market.ts';
import { fromUnits } from '@heron/engine/money/units.ts';
import { type Metrics, metricsOf } from '@heron/engine/report/metrics.ts';
import type { BacktestPair, BacktestResult } from '@heron/engine/simulate/backtest.ts';
import { feeDecimals } from '@heron/engine/simulate/journal.ts';
import { fillsOf, positionsOf, tradesOf } from '@heron/engine/simulate/runRecord.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import type { BadRow } from '@heron/exchanges/candles/csv.ts';

/** The JSON document of a backtest. Amounts are plain numbers, exact to the decimal they print. */
export interface BacktestDocument {
  pair: string;
  strategy: string;
  params: Params;
  period: string;
  options: object;
  from: number;
  to: number;
  /** Closed candles of the period that were run. */
  candles: number;
  /** Rows left out by --repair. */
  repaired: number;
  fills: object[];
  trades: object[];
  positions: object[];
  refusals: Record<string, number>;
  equity: { start: number; end: number };
  metrics: Metrics;
}

/** Puts a result into the document that `--json` prints. */
export function backtestDocument(
  result: BacktestResult,
  pairs: readonly BacktestPair[],
  market: Market,
  periodMs: number,
  bad: readonly BadRow[],
): BacktestDocument {
  const { bot, record, equity, time } = result;
  const trades = tradesOf(record, new Map([[market.pair, market]]));
  const quantity = (units: number) => fromUnits(units, market.assetDecimals);
  return {
    pair: market.pair,
    strategy: bot.strategy.id,
    params: bot.state.params,
    period: bot.state.options.period,
    options: bot.state.options,
    from: time[0] ?? 0,
    to: (time[time.length - 1] ?? 0) + periodMs,
    candles: result.candles,
    repaired: bad.length,
    fills: fillsOf(record).map((fill) => ({
      time: fill.at,
      side: fill.side,
      quantity: quantity(fill.quantity),
      price: fromUnits(fill.price),
      fee: fromUnits(fill.fee, feeDecimals(market, fill.feeAsset)),
      feeAsset: fill.feeAsset,
      liquidity: fill.liquidity,
      reason: fill.reason,
    })),
    trades: trades.map((trade) => ({
      id: trade.id,
      pair: market.pair,
      kind: trade.kind,
      side: trade.side,
      reason: trade.reason,
      openedAt: trade.openedAt,
      closedAt: trade.closedAt,
      quantity: quantity(trade.quantity),
      averagePrice: fromUnits(trade.averagePrice),
      firstPrice: fromUnits(trade.firstPrice),
      slippagePercent: trade.slippagePercent,
      feeQuote: fromUnits(trade.feeQuote),
      realised: trade.kind === 'exit' ? fromUnits(trade.realised) : null,
      how: trade.how,
    })),
    positions: positionsOf(record).map((position) => ({
      openedAt: position.openedAt,
      closedAt: position.closedAt,
      entryPrice: fromUnits(position.entryPrice),
      net: fromUnits(position.net),
      fees: fromUnits(position.fees),
    })),
    refusals: record.refusals,
    equity: {
      start: fromUnits(bot.state.wallet.start),
      end: fromUnits(equity[equity.length - 1] ?? bot.state.wallet.start),
    },
    metrics: metricsOf(result, pairs),
  };
}
