import type { BacktestInput, BacktestResult } from '../backtest/backtest.ts';
import { periodStart } from '../market/period.ts';
import { fromUnits, SCALE_DECIMALS } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import type { Params } from '../strategies/strategy.ts';
import { documentRows, type FillEntry, type PositionEntry, type TradeEntry } from './documentRows.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { type PairFigures, pairFigures } from './pairFigures.ts';

/** Result document of a backtest, plain data. Amounts are numbers that print as their exact decimals; times are ms in UTC. */
export interface BacktestDocument {
  /** Pairs, separated by commas. */
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
  /** Number of processed closed candles of the period, over all pairs. */
  candles: number;
  /** Number of omitted rows of candle files. */
  repaired: number;
  /** Whether the run replayed shorter candles inside those of the period. */
  detail: boolean;
  pairs: PairFigures[];
  fills: FillEntry[];
  trades: TradeEntry[];
  positions: PositionEntry[];
  /** Funding payments, positive when received. `rate` is a fraction. */
  funding: { pair: string; time: number; amount: number; rate: number; mark: number }[];
  /** Liquidated positions; `insurance` is the part of the loss that the wallet could not pay. */
  liquidations: { pair: string; time: number; price: number; realised: number; fee: number; insurance: number }[];
  /** Number of blocked entries by gate. */
  refusals: Record<string, number>;
  equity: { start: number; end: number };
  metrics: Metrics;
}

/**
 * Creates the document of a finished run.
 *
 * @param input input of the run
 * @param about.repaired number of omitted rows of candle files
 * @param about.venue title of the venue, @param about.money description of the prices and the money
 */
export function backtestDocument(
  result: BacktestResult,
  input: BacktestInput,
  about: { readonly repaired?: number; readonly venue: string; readonly money: string },
): BacktestDocument {
  const { bot, record, equity, time } = result;
  const { pairs, detail = true } = input;
  const { periodMs } = bot.rules;
  const rows = documentRows(result, input);
  const last = time[time.length - 1];
  // Getters create the long lists on access, since a text report needs none of them.
  return {
    pair: pairs.map(({ market }) => market.pair).join(','),
    venue: about.venue,
    money: about.money,
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
