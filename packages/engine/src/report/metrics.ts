import type { CandleColumns } from '../market/candle.ts';
import { type Market, notional } from '../market/market.ts';
import { exact, fromUnits, SCALE } from '../money/units.ts';
import type { BacktestResult } from '../simulate/backtest.ts';
import { annualReturn } from './annualReturn.ts';
import { byMonth, byReason, type Share } from './breakdown.ts';
import { calmar } from './calmar.ts';
import { dailyReturns } from './dailyReturns.ts';
import { drawdownLength } from './drawdownLength.ts';
import { expectancy } from './expectancy.ts';
import { maxDrawdown } from './maxDrawdown.ts';
import { profitFactor } from './profitFactor.ts';
import { sharpe } from './sharpe.ts';
import { slippagePaid } from './slippagePaid.ts';
import { sortino } from './sortino.ts';

/** Figures of a run. Amounts in the quote currency; ratios as fractions (0.1 is 10 %). */
export interface Metrics {
  /** Equity at the end less the start capital. */
  netProfit: number;
  netProfitPercent: number;
  /** Compound return a year, as a fraction. */
  annualReturn: number;
  maxDrawdown: number;
  /** Longest time below an earlier peak, ms. */
  drawdownLength: number;
  sharpe: number;
  /** Null when no day lost. */
  sortino: number | null;
  /** Null without a drawdown. */
  calmar: number | null;
  /** Closed positions with a net gain among those with a gain or loss. @see accounting.md 6 */
  winRate: number;
  wins: number;
  losses: number;
  /** Intents with fills. @see accounting.md 6 */
  trades: number;
  fills: number;
  /** Gains over losses of closed positions; null without a loss. */
  profitFactor: number | null;
  /** Mean net result of a closed position. */
  expectancy: number;
  fees: number;
  /** Paid beyond the first price of each trade. */
  slippage: number;
  /** Value of all fills over the start capital. */
  turnover: number;
  /** Share of candles at whose close a position was held. */
  exposure: number;
  /** Result of buying everything at the first open and holding, no fees, in percent. */
  buyAndHoldPercent: number;
  /** Exits and their net results, by why they were made. */
  byReason: Record<string, { trades: number; net: number }>;
  /** The same by UTC month. */
  byMonth: Record<string, { trades: number; net: number }>;
}

/** Computes every figure of a finished backtest. */
export function metricsOf({ record, bot, equity }: BacktestResult, candles: CandleColumns, market: Market): Metrics {
  const { wallet, wins, losses, trades } = bot.state;
  const end = equity[equity.length - 1] ?? wallet.start;
  const firstOpen = candles.open[0] ?? 0;
  const lastClose = candles.close[candles.length - 1] ?? 0;
  const decided = wins + losses;
  const { length } = candles;
  const duration = length < 2 ? 0 : (candles.time[length - 1] as number) - (candles.time[0] as number);
  const yearly = annualReturn(wallet.start, end, duration);
  const drawdown = maxDrawdown(equity);
  const returns = dailyReturns(candles.time, equity, wallet.start);
  const turnover = record.fills.reduce((sum, { price, quantity }) => sum + notional(market, price, quantity), 0);
  return {
    netProfit: fromUnits(exact(end - wallet.start)),
    netProfitPercent: wallet.start === 0 ? 0 : (100 * (end - wallet.start)) / wallet.start,
    annualReturn: yearly,
    maxDrawdown: drawdown,
    drawdownLength: drawdownLength(candles.time, equity),
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    calmar: calmar(yearly, drawdown),
    winRate: decided === 0 ? 0 : wins / decided,
    wins,
    losses,
    trades,
    fills: record.fills.length,
    profitFactor: profitFactor(record.positions),
    expectancy: expectancy(record.positions) / SCALE,
    slippage: fromUnits(slippagePaid(record.trades, market)),
    turnover: wallet.start === 0 ? 0 : turnover / wallet.start,
    fees: fromUnits(record.fills.reduce((sum, { feeQuote }) => sum + feeQuote, 0)),
    exposure: candles.length === 0 ? 0 : record.heldCandles / candles.length,
    buyAndHoldPercent: firstOpen === 0 ? 0 : 100 * (lastClose / firstOpen - 1),
    byReason: inQuote(byReason(record.trades)),
    byMonth: inQuote(byMonth(record.trades)),
  };
}

function inQuote(shares: Record<string, Share>): Record<string, { trades: number; net: number }> {
  return Object.fromEntries(
    Object.entries(shares).map(([key, { trades, net }]) => [key, { trades, net: fromUnits(net) }]),
  );
}
