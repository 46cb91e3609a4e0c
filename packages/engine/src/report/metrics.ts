import type { BacktestResult } from '../backtest/backtest.ts';
import type { BacktestPair } from '../backtest/backtestPair.ts';
import { fillsOf, positionsOf, tradesOf } from '../backtest/runRecord.ts';
import { type Market, notional } from '../market/market.ts';
import { mergeCandles } from '../market/period.ts';
import { exact, fromUnits, SCALE } from '../money/units.ts';
import { annualReturn } from './annualReturn.ts';
import { byMonth, byPair, byReason, type Share } from './breakdown.ts';
import { buyAndHold } from './buyAndHold.ts';
import { calmar } from './calmar.ts';
import { dailyReturns } from './dailyReturns.ts';
import { drawdownLength } from './drawdownLength.ts';
import { expectancy } from './expectancy.ts';
import { type GridResult, gridResultOf } from './gridResult.ts';
import { maxDrawdown } from './maxDrawdown.ts';
import { profitFactor } from './profitFactor.ts';
import { realisedOf, unrealisedOf } from './results.ts';
import { sharpe } from './sharpe.ts';
import { slippagePaid } from './slippagePaid.ts';
import { sortino } from './sortino.ts';

/** Figures of a run. Amounts are in the quote currency, ratios are fractions (0.1 is 10 %). */
export interface Metrics {
  /** Equity at the end less the start capital. */
  netProfit: number;
  netProfitPercent: number;
  /** Realised PnL; on futures with all fees and funding. */
  realised: number;
  /** Unrealised PnL: result of closing all positions at their last price without a fee. */
  unrealised: number;
  /** Amount that a paper wallet could not pay at liquidations and does not owe. The net profit is realised + unrealised + insurance. */
  insurance: number;
  /** Compound yearly return, as a fraction. */
  annualReturn: number;
  maxDrawdown: number;
  /** Longest time below an earlier equity peak, ms. */
  drawdownLength: number;
  sharpe: number;
  /** Null without a losing day. */
  sortino: number | null;
  /** Null without a drawdown. */
  calmar: number | null;
  /** Share of closed positions with a net gain among those with a gain or loss. @see docs/accounting.md#figures-of-a-bot */
  winRate: number;
  wins: number;
  losses: number;
  /** Parent orders with fills. @see docs/accounting.md#figures-of-a-bot */
  trades: number;
  fills: number;
  /** Gains over losses of closed positions; null without a loss. */
  profitFactor: number | null;
  /** Mean net result of a closed position. */
  expectancy: number;
  fees: number;
  /** Funding received less funding paid. */
  funding: number;
  /** Number of liquidated positions. */
  liquidations: number;
  /** Slippage against the first price of each trade, positive when adverse. */
  slippage: number;
  /** Order value of all fills over the start capital. */
  turnover: number;
  /** Share of steps with a position at their close. */
  exposure: number;
  /** Buy-and-hold result with the capital split over all pairs at their first open, without fees, in percent. */
  buyAndHoldPercent: number;
  /** Exits and net results by reason; each breakdown adds up to the realised total. */
  byReason: Record<string, { trades: number; net: number }>;
  /** Exits and net results by UTC month. */
  byMonth: Record<string, { trades: number; net: number }>;
  /** Exits and net results by pair. */
  byPair: Record<string, { trades: number; net: number }>;
  /** Result of the grids of all pairs; null for other strategies. */
  grid: GridResult | null;
}

/**
 * Computes every figure of a finished backtest.
 *
 * @param pairs pairs of the run
 */
export function metricsOf(result: BacktestResult, pairs: readonly BacktestPair[]): Metrics {
  const { record, bot, time, equity } = result;
  const { wallet, wins, losses, trades } = bot.state;
  const markets = new Map(pairs.map(({ market }) => [market.pair, market]));
  const end = equity[equity.length - 1] ?? wallet.start;
  const decided = wins + losses;
  const { length } = time;
  // The duration ends at the close of the last step, which is the time of the last equity.
  const yearly = annualReturn(wallet.start, end, length === 0 ? 0 : result.endsAt - (time[0] as number));
  const drawdown = maxDrawdown(equity);
  const returns = dailyReturns(time, equity, wallet.start);
  const positions = positionsOf(record);
  const tradeRecords = tradesOf(record, markets);
  let turnover = 0;
  for (const { pair, price, quantity } of fillsOf(record)) {
    turnover += notional(markets.get(pair) as Market, price, quantity);
  }
  return {
    netProfit: fromUnits(exact(end - wallet.start)),
    netProfitPercent: wallet.start === 0 ? 0 : (100 * (end - wallet.start)) / wallet.start,
    realised: fromUnits(realisedOf(bot.state.pairs)),
    unrealised: fromUnits(unrealisedOf(bot.state.pairs)),
    insurance: fromUnits(wallet.insurance),
    annualReturn: yearly,
    maxDrawdown: drawdown,
    drawdownLength: drawdownLength(time, equity),
    sharpe: sharpe(returns),
    sortino: sortino(returns),
    calmar: calmar(yearly, drawdown),
    winRate: decided === 0 ? 0 : wins / decided,
    wins,
    losses,
    trades,
    fills: record.fillRows.length,
    profitFactor: profitFactor(positions),
    expectancy: expectancy(positions) / SCALE,
    slippage: fromUnits(slippagePaid(tradeRecords, markets)),
    turnover: wallet.start === 0 ? 0 : turnover / wallet.start,
    fees: fromUnits(bot.state.pairs.reduce((sum, { holding }) => sum + holding.fees, 0)),
    funding: fromUnits(exact(record.funding.reduce((sum, { amount }) => sum + amount, 0))),
    liquidations: record.liquidations.length,
    exposure: length === 0 ? 0 : result.heldSteps / length,
    buyAndHoldPercent: buyAndHold(
      pairs.map(({ candles, candleMs }) => mergeCandles(candles, candleMs, bot.rules.periodMs)),
    ),
    byReason: inQuote(byReason(tradeRecords, record)),
    byMonth: inQuote(byMonth(tradeRecords, record)),
    byPair: inQuote(byPair(tradeRecords, record)),
    grid: gridResultOf(bot.state.pairs, result.endsAt),
  };
}

function inQuote(shares: Record<string, Share>): Record<string, { trades: number; net: number }> {
  return Object.fromEntries(
    Object.entries(shares).map(([key, { trades, net }]) => [key, { trades, net: fromUnits(net) }]),
  );
}
