import type { Market } from '../market/market.ts';
import { periodStart } from '../market/period.ts';
import { fromUnits, SCALE_DECIMALS } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import type { IntentEnd, Reason } from '../orders/intent.ts';
import type { BacktestInput, BacktestResult } from '../simulate/backtest.ts';
import { feeDecimals } from '../simulate/journal.ts';
import { fillsOf, positionsOf, tradesOf } from '../simulate/runRecord.ts';
import type { Params } from '../strategies/strategy.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { type PairFigures, pairFigures } from './pairFigures.ts';

type Side = 'buy' | 'sell';
/** Which way the position goes that is made or left. */
type Way = 'long' | 'short';

/** A fill; `fee` is in `feeAsset`. */
export interface FillEntry {
  pair: string;
  /** Open time of the candle it fell in, ms. */
  time: number;
  side: Side;
  kind: 'entry' | 'exit';
  direction: Way;
  quantity: number;
  price: number;
  fee: number;
  feeAsset: string;
  liquidity: 'maker' | 'taker';
  reason: Reason;
}

/** A decision to buy or sell that got a fill. @see accounting.md 6 (trade record) */
export interface TradeEntry {
  id: number;
  pair: string;
  kind: 'entry' | 'exit';
  side: Side;
  direction: Way;
  reason: Reason;
  openedAt: number;
  closedAt: number;
  quantity: number;
  averagePrice: number;
  firstPrice: number;
  /** Adverse is positive. */
  slippagePercent: number;
  feeQuote: number;
  /** Net result; null for entries on spot, whose fee is in their cost. */
  realised: number | null;
  how: IntentEnd;
}

/** A closed position, flat to flat. */
export interface PositionEntry {
  pair: string;
  direction: Way;
  openedAt: number;
  closedAt: number;
  entryPrice: number;
  net: number;
  fees: number;
}

/** The document of a backtest, plain data. Amounts are numbers, exact to the decimal they print; times are ms in UTC. */
export interface BacktestDocument {
  /** The pair, or all of them with commas between. */
  pair: string;
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
 * @param repaired rows of candle files that were left out
 */
export function backtestDocument(result: BacktestResult, input: BacktestInput, repaired = 0): BacktestDocument {
  const { bot, record, equity, time } = result;
  const { pairs, detail = true } = input;
  const { periodMs, future } = bot.rules;
  const markets = new Map(pairs.map(({ market }) => [market.pair, market]));
  const quantity = (pair: string, units: number) => fromUnits(units, (markets.get(pair) as Market).assetDecimals);
  const last = time[time.length - 1];
  // Lists of thousands are made when they are asked for: a text report needs none of them.
  return {
    pair: pairs.map(({ market }) => market.pair).join(','),
    strategy: bot.strategy.id,
    params: bot.state.params,
    period: bot.state.options.period,
    options: bot.state.options,
    from: time[0] ?? 0,
    to: last === undefined ? 0 : periodStart(last, periodMs) + periodMs,
    candles: result.candles,
    repaired,
    detail: detail && pairs.some(({ candleMs }) => candleMs < periodMs),
    pairs: pairFigures(result, pairs),
    get fills() {
      return fillsOf(record).map((fill) => ({
        pair: fill.pair,
        time: fill.at,
        side: fill.side,
        kind: fill.kind,
        direction: wayOf(fill),
        quantity: quantity(fill.pair, fill.quantity),
        price: fromUnits(fill.price),
        fee: fromUnits(fill.fee, feeDecimals(markets.get(fill.pair) as Market, fill.feeAsset)),
        feeAsset: fill.feeAsset,
        liquidity: fill.liquidity,
        reason: fill.reason,
      }));
    },
    get trades() {
      return tradesOf(record, markets).map((trade) => ({
        id: trade.id,
        pair: trade.pair,
        kind: trade.kind,
        side: trade.side,
        direction: wayOf(trade),
        reason: trade.reason,
        openedAt: trade.openedAt,
        closedAt: trade.closedAt,
        quantity: quantity(trade.pair, trade.quantity),
        averagePrice: fromUnits(trade.averagePrice),
        firstPrice: fromUnits(trade.firstPrice),
        slippagePercent: trade.slippagePercent,
        feeQuote: fromUnits(trade.feeQuote),
        realised: trade.kind === 'exit' || future ? fromUnits(trade.realised) : null,
        how: trade.how,
      }));
    },
    get positions() {
      return positionsOf(record).map((position) => ({
        pair: position.pair,
        direction: position.direction === 1 ? ('long' as const) : ('short' as const),
        openedAt: position.openedAt,
        closedAt: position.closedAt,
        entryPrice: fromUnits(position.entryPrice),
        net: fromUnits(position.net),
        fees: fromUnits(position.fees),
      }));
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

/** An entry that buys makes a long, an exit that buys leaves a short. */
function wayOf({ side, kind }: { side: Side; kind: 'entry' | 'exit' }): Way {
  return (side === 'buy') === (kind === 'entry') ? 'long' : 'short';
}
