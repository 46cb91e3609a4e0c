import type { CandleColumns } from '../market/candle.ts';
import { exact, fromUnits } from '../money/units.ts';
import type { BacktestResult } from '../simulate/backtest.ts';
import { maxDrawdown } from './maxDrawdown.ts';
import { profitFactor } from './profitFactor.ts';
import { sharpe } from './sharpe.ts';

/** Figures of a run. Amounts in the quote currency; ratios as fractions (0.1 is 10 %). */
export interface Metrics {
  /** Equity at the end less the start capital. */
  netProfit: number;
  netProfitPercent: number;
  maxDrawdown: number;
  sharpe: number;
  /** Closed positions with a net gain among those with a gain or loss. @see accounting.md 6 */
  winRate: number;
  wins: number;
  losses: number;
  /** Intents with fills. @see accounting.md 6 */
  trades: number;
  fills: number;
  /** Gains over losses of closed positions; null without a loss. */
  profitFactor: number | null;
  fees: number;
  /** Share of candles at whose close a position was held. */
  exposure: number;
  /** Result of buying everything at the first open and holding, no fees, in percent. */
  buyAndHoldPercent: number;
}

/** Computes every figure of a finished backtest. */
export function metricsOf({ record, bot, equity }: BacktestResult, candles: CandleColumns): Metrics {
  const { wallet, wins, losses, trades } = bot.state;
  const end = equity[equity.length - 1] ?? wallet.start;
  const firstOpen = candles.open[0] ?? 0;
  const lastClose = candles.close[candles.length - 1] ?? 0;
  const decided = wins + losses;
  return {
    netProfit: fromUnits(exact(end - wallet.start)),
    netProfitPercent: wallet.start === 0 ? 0 : (100 * (end - wallet.start)) / wallet.start,
    maxDrawdown: maxDrawdown(equity),
    sharpe: sharpe(candles.time, equity, wallet.start),
    winRate: decided === 0 ? 0 : wins / decided,
    wins,
    losses,
    trades,
    fills: record.fills.length,
    profitFactor: profitFactor(record.positions),
    fees: fromUnits(record.fills.reduce((sum, { feeQuote }) => sum + feeQuote, 0)),
    exposure: candles.length === 0 ? 0 : record.heldCandles / candles.length,
    buyAndHoldPercent: firstOpen === 0 ? 0 : 100 * (lastClose / firstOpen - 1),
  };
}
