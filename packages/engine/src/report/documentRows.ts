import type { BacktestInput, BacktestResult } from '../backtest/backtest.ts';
import { fillsOf, positionsOf, tradesOf } from '../backtest/runRecord.ts';
import type { Market } from '../market/market.ts';
import { fromUnits } from '../money/units.ts';
import { feeDecimals } from '../session/journal.ts';
import type { ParentOrderEnd, Reason } from '../state/parentOrder.ts';
import { positionReturn } from '../state/positionReturn.ts';

type Side = 'buy' | 'sell';
/** Direction of the position that a fill opens or closes. */
type Direction = 'long' | 'short';

/** A fill; `fee` is in `feeAsset`. */
export interface FillEntry {
  pair: string;
  /** Open time of the candle of the fill, ms. */
  time: number;
  side: Side;
  kind: 'entry' | 'exit';
  direction: Direction;
  quantity: number;
  price: number;
  fee: number;
  feeAsset: string;
  liquidity: 'maker' | 'taker';
  reason: Reason;
}

/** A parent order with at least one fill. @see docs/accounting.md#trade-record */
export interface TradeEntry {
  id: number;
  pair: string;
  kind: 'entry' | 'exit';
  side: Side;
  direction: Direction;
  reason: Reason;
  openedAt: number;
  closedAt: number;
  quantity: number;
  averagePrice: number;
  firstPrice: number;
  /** Slippage, positive when adverse. */
  slippagePercent: number;
  feeQuote: number;
  /** Net result; null for entries on spot, whose cost includes the fee. */
  realised: number | null;
  /** Exit of a grid level: net result of its cycle, by the cost of the level; null for other orders. */
  cycleResult: number | null;
  how: ParentOrderEnd;
}

/** A closed position, from flat to flat. @see docs/accounting.md#closed-positions */
export interface PositionEntry {
  id: number;
  pair: string;
  direction: Direction;
  openedAt: number;
  closedAt: number;
  entryPrice: number;
  /** Null when dust was left of the entry and nothing was sold. */
  exitPrice: number | null;
  /** Largest size. */
  quantity: number;
  net: number;
  /** `net` in percent of the largest size at the entry price. */
  returnPercent: number;
  fees: number;
  funding: number;
  reason: Reason | null;
}

/** The long lists of a document with lazy entries, so that a writer need not hold all entries in memory. */
export interface DocumentRows {
  readonly fills: Iterable<FillEntry>;
  readonly trades: Iterable<TradeEntry>;
  readonly positions: Iterable<PositionEntry>;
}

/**
 * Returns the fills, trades and positions of a finished run for its document. Iteration creates the entries.
 *
 * @param input input of the run
 */
export function documentRows({ record, bot }: BacktestResult, { pairs }: BacktestInput): DocumentRows {
  const { future } = bot.rules;
  const markets = new Map(pairs.map(({ market }) => [market.pair, market]));
  const quantity = (pair: string, units: number) => fromUnits(units, (markets.get(pair) as Market).assetDecimals);
  return {
    fills: entries(fillsOf(record), (fill) => ({
      pair: fill.pair,
      time: fill.at,
      side: fill.side,
      kind: fill.kind,
      direction: directionOf(fill),
      quantity: quantity(fill.pair, fill.quantity),
      price: fromUnits(fill.price),
      fee: fromUnits(fill.fee, feeDecimals(markets.get(fill.pair) as Market, fill.feeAsset)),
      feeAsset: fill.feeAsset,
      liquidity: fill.liquidity,
      reason: fill.reason,
    })),
    trades: entries(tradesOf(record, markets), (trade) => ({
      id: trade.id,
      pair: trade.pair,
      kind: trade.kind,
      side: trade.side,
      direction: directionOf(trade),
      reason: trade.reason,
      openedAt: trade.openedAt,
      closedAt: trade.closedAt,
      quantity: quantity(trade.pair, trade.quantity),
      averagePrice: fromUnits(trade.averagePrice),
      firstPrice: fromUnits(trade.firstPrice),
      slippagePercent: trade.slippagePercent,
      feeQuote: fromUnits(trade.feeQuote),
      realised: trade.kind === 'exit' || future ? fromUnits(trade.realised) : null,
      cycleResult: trade.cycleResult === null ? null : fromUnits(trade.cycleResult),
      how: trade.how,
    })),
    positions: entries(positionsOf(record), (position) => ({
      id: position.id,
      pair: position.pair,
      direction: position.direction === 1 ? 'long' : 'short',
      openedAt: position.openedAt,
      closedAt: position.closedAt,
      entryPrice: fromUnits(position.entryPrice),
      exitPrice: position.exitPrice === null ? null : fromUnits(position.exitPrice),
      quantity: quantity(position.pair, position.quantity),
      net: fromUnits(position.net),
      returnPercent: positionReturn(position),
      fees: fromUnits(position.fees),
      funding: fromUnits(position.funding),
      reason: position.reason,
    })),
  };
}

function entries<Row, Entry>(rows: Iterable<Row>, entryOf: (row: Row) => Entry): Iterable<Entry> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield entryOf(row);
    },
  };
}

/** Returns the direction of the position: a buy opens a long as entry and closes a short as exit. */
function directionOf({ side, kind }: { side: Side; kind: 'entry' | 'exit' }): Direction {
  return (side === 'buy') === (kind === 'entry') ? 'long' : 'short';
}
