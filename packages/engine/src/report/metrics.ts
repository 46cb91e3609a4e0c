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
import { maxDrawdown } from './maxDrawdown.ts';
import { profitFactor } from './profitFactor.ts';
import { realisedOf, unrealisedOf } from './results.ts';
import { sharpe } from './sharpe.ts';
import { slippagePaid } from './slippagePaid.ts';
import { sortino } from './sortino.ts';

/** Figures of a run. Amounts in the quote currency; ratios as fractions (0.1 is 10 %). */
export interface Metrics {
  /** Equity at the end less the start capital. */
  netProfit: number;
  netProfitPercent: number;
  /** Net result of what was sold, on futures with all fees and funding. */
  realised: number;
  /** What selling all that is held at its last price without a fee would add. */
  unrealised: number;
  /** What a paper wallet could not pay at liquidations and does not owe; with the two above it makes up the net profit. */
  insurance: number;
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
  /** Closed positions with a net gain among those with a gain or loss. @see docs/accounting.md#figures-of-a-bot */
  winRate: number;
  wins: number;
  losses: number;
  /** Intents with fills. @see docs/accounting.md#figures-of-a-bot */
  trades: number;
  fills: number;
  /** Gains over losses of closed positions; null without a loss. */
  profitFactor: number | null;
  /** Mean net result of a closed position. */
  expectancy: number;
  fees: number;
  /** Received from funding less what was paid. */
  funding: number;
  /** Positions that the exchange closed. */
  liquidations: number;
  /** Paid beyond the first price of each trade. */
  slippage: number;
  /** Value of all fills over the start capital. */
  turnover: number;
  /** Share of steps at whose close a position was held. */
  exposure: number;
  /** Result of splitting the capital over all pairs at their first open and holding, no fees, in percent. */
  buyAndHoldPercent: number;
  /** Exits and net results by why they came about; each breakdown adds up to the realised total. */
  byReason: Record<string, { trades: number; net: number }>;
  /** The same by UTC month. */
  byMonth: Record<string, { trades: number; net: number }>;
  /** The same by pair. */
  byPair: Record<string, { trades: number; net: number }>;
}

/**
 * Computes every figure of a finished backtest.
 *
 * @param pairs what was run
 */
export function metricsOf(result: BacktestResult, pairs: readonly BacktestPair[]): Metrics {
  const { record, bot, time, equity } = result;
  const { wallet, wins, losses, trades } = bot.state;
  const markets = new Map(pairs.map(({ market }) => [market.pair, market]));
  const end = equity[equity.length - 1] ?? wallet.start;
  const decided = wins + losses;
  const { length } = time;
  // From the open of the first step to the close of the last, at which the equity is taken.
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
  };
}

function inQuote(shares: Record<string, Share>): Record<string, { trades: number; net: number }> {
  return Object.fromEntries(
    Object.entries(shares).map(([key, { trades, net }]) => [key, { trades, net: fromUnits(net) }]),
  );
}
