import type { BacktestInput, BacktestResult } from '../backtest/backtest.ts';
import { periodStart } from '../market/period.ts';
import { fromUnits, SCALE_DECIMALS } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import type { Params } from '../strategies/strategy.ts';
import { documentRows, type FillEntry, type PositionEntry, type TradeEntry } from './documentRows.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { type PairFigures, pairFigures } from './pairFigures.ts';

/** The document of a backtest, plain data. Amounts are numbers, exact to the decimal they print; times are ms in UTC. */
export interface BacktestDocument {
  /** The pair, or all of them with commas between. */
  pair: string;
  /** Title of the venue with its environment, or its id. */
  venue: string;
  /** Description of the prices and the money; empty when the caller gives none. */
  money: string;
  strategy: string;
  params: Params;
  period: string;
  options: BotOptions;
  /** Open time of the first step. */
  from: number;
  /** Close time of the last candle. */
  to: number;
  /** Closed candles of the period that were run, all pairs together. */
  candles: number;
  /** Rows of candle files that were left out. */
  repaired: number;
  /** Shorter candles were walked inside those of the period. */
  detail: boolean;
  pairs: PairFigures[];
  fills: FillEntry[];
  trades: TradeEntry[];
  positions: PositionEntry[];
  /** Payments; above 0 was received. `rate` is a fraction. */
  funding: { pair: string; time: number; amount: number; rate: number; mark: number }[];
  /** Positions that the exchange closed; `insurance` is what of the loss the wallet could not pay. */
  liquidations: { pair: string; time: number; price: number; realised: number; fee: number; insurance: number }[];
  /** Refusals counted by gate. */
  refusals: Record<string, number>;
  equity: { start: number; end: number };
  metrics: Metrics;
}

/**
 * Puts a finished run into its document.
 *
 * @param input what was run
 * @param about.repaired rows of candle files that were left out
 * @param about.venue title of the venue, @param about.money description of the prices and the money
 */
export function backtestDocument(
  result: BacktestResult,
  input: BacktestInput,
  about: { readonly repaired?: number; readonly venue?: string; readonly money?: string } = {},
): BacktestDocument {
  const { bot, record, equity, time } = result;
  const { pairs, detail = true } = input;
  const { periodMs } = bot.rules;
  const rows = documentRows(result, input);
  const last = time[time.length - 1];
  // Lists of thousands are made when they are asked for: a text report needs none of them.
  return {
    pair: pairs.map(({ market }) => market.pair).join(','),
    venue: about.venue ?? bot.state.options.exchange,
    money: about.money ?? '',
    strategy: bot.strategy.id,
    params: bot.state.params,
    period: bot.state.options.period,
    options: bot.state.options,
    from: time[0] ?? 0,
    to: last === undefined ? 0 : periodStart(last, periodMs) + periodMs,
    candles: result.candles,
    repaired: about.repaired ?? 0,
    detail: detail && pairs.some(({ candleMs }) => candleMs < periodMs),
    pairs: pairFigures(result, pairs),
    get fills() {
      return [...rows.fills];
    },
    get trades() {
      return [...rows.trades];
    },
    get positions() {
      return [...rows.positions];
    },
    funding: record.funding.map(({ pair, at, amount, rate, mark }) => ({
      pair,
      time: at,
      amount: fromUnits(amount),
      rate: fromUnits(rate, SCALE_DECIMALS),
      mark: fromUnits(mark),
    })),
    liquidations: record.liquidations.map(({ pair, at, price, realised, fee, insurance }) => ({
      pair,
      time: at,
      price: fromUnits(price),
      realised: fromUnits(realised),
      fee: fromUnits(fee),
      insurance: fromUnits(insurance),
    })),
    refusals: record.refusals,
    equity: {
      start: fromUnits(bot.state.wallet.start),
      end: fromUnits(equity[equity.length - 1] ?? bot.state.wallet.start),
    },
    metrics: metricsOf(result, pairs),
  };
}
