import type { Booked } from '../ledger/fill.ts';
import type { Market } from '../market/market.ts';
import { mulDiv, type Price, powerOfTen, type Quantity, type Quote, type Ratio } from '../money/units.ts';
import { slippagePercent } from '../session/journal.ts';
import type { OrderFill } from '../state/botEvents.ts';
import type { BotObserver } from '../state/botObserver.ts';
import type { PairState, Position } from '../state/botState.ts';
import type { ClosedPosition } from '../state/closedPosition.ts';
import type { ParentOrder, ParentOrderEnd, Reason } from '../state/parentOrder.ts';
import type { Refusal } from '../state/refusal.ts';
import { addRow, codeOf, findLastRow, type NumberRows, numberRows, readRows } from './numberRows.ts';

export interface FillRecord {
  pair: string;
  /** Open time of the candle it fell in. */
  at: number;
  side: 'buy' | 'sell';
  quantity: Quantity;
  price: Price;
  /** In asset units when `feeAsset` is the base, else in 1e-8. */
  fee: number;
  feeAsset: string;
  feeQuote: Quote;
  liquidity: 'maker' | 'taker';
  kind: 'entry' | 'exit';
  /** Net result of an exit; on futures the fee of an entry, else 0. */
  realised: Quote;
  reason: Reason;
}

/** One parent order with fills. @see docs/accounting.md#trade-record */
export interface TradeRecord {
  pair: string;
  id: number;
  kind: 'entry' | 'exit';
  side: 'buy' | 'sell';
  reason: Reason;
  openedAt: number;
  closedAt: number;
  quantity: Quantity;
  averagePrice: Price;
  firstPrice: Price;
  slippagePercent: number;
  feeQuote: Quote;
  /** Net result of an exit; on futures the fee of an entry, else 0. */
  realised: Quote;
  /** Exit of a grid level: net result by the cost of its own level; null for other orders. */
  cycleResult: Quote | null;
  how: ParentOrderEnd;
}

/** A funding payment of one pair; above 0 was received. */
export interface FundingRecord {
  pair: string;
  at: number;
  amount: Quote;
  rate: Ratio;
  mark: Price;
}

/** A position that the exchange closed. @see docs/margin.md#liquidation */
export interface LiquidationRecord {
  pair: string;
  at: number;
  price: Price;
  realised: Quote;
  fee: Quote;
  /** Part of the loss that the wallet could not pay. */
  insurance: Quote;
}

/** Trades and refusals of a run. Read rows by {@link fillsOf}, {@link tradesOf}, {@link positionsOf}. */
export interface RunRecord {
  /** Texts by their number in rows. */
  readonly pairs: string[];
  readonly assets: string[];
  readonly reasons: string[];
  readonly ends: string[];
  readonly fillRows: NumberRows;
  readonly tradeRows: NumberRows;
  readonly positionRows: NumberRows;
  /** Refusals counted by gate. */
  refusals: Record<string, number>;
  funding: FundingRecord[];
  liquidations: LiquidationRecord[];
}

const FILL_WIDTH = 12;
const TRADE_WIDTH = 14;
/** Stands for no price and no reason in a row. */
const NONE = -1;

const POSITION_WIDTH = 13;

export function createRunRecord(): RunRecord {
  return {
    pairs: [],
    assets: [],
    reasons: [],
    ends: [],
    fillRows: numberRows(FILL_WIDTH),
    tradeRows: numberRows(TRADE_WIDTH),
    positionRows: numberRows(POSITION_WIDTH),
    refusals: {},
    funding: [],
    liquidations: [],
  };
}

/** Returns every fill, oldest first. */
export function fillsOf({ fillRows, pairs, assets, reasons }: RunRecord): Iterable<FillRecord> {
  return readRows(fillRows, (row, i) => ({
    pair: pairs[row[i + 6] as number] as string,
    at: row[i] as number,
    side: row[i + 7] === 1 ? 'buy' : 'sell',
    kind: row[i + 8] === 1 ? 'entry' : 'exit',
    quantity: row[i + 1] as number,
    price: row[i + 2] as number,
    fee: row[i + 3] as number,
    feeAsset: assets[row[i + 9] as number] as string,
    feeQuote: row[i + 4] as number,
    liquidity: row[i + 10] === 1 ? 'maker' : 'taker',
    reason: reasons[row[i + 11] as number] as Reason,
    realised: row[i + 5] as number,
  }));
}

/**
 * Returns every parent order with fills, in the order of their ends.
 *
 * @param only pair whose parent orders are returned; all by default
 */
export function tradesOf(
  { tradeRows, pairs, reasons, ends }: RunRecord,
  markets: ReadonlyMap<string, Market>,
  only?: string,
): Iterable<TradeRecord> {
  const read = (row: Float64Array, i: number): TradeRecord => {
    const pair = pairs[row[i + 8] as number] as string;
    const side = row[i + 10] === 1 ? ('buy' as const) : ('sell' as const);
    const quantity = row[i + 3] as number;
    const firstPrice = row[i + 4] as number;
    const { assetDecimals } = markets.get(pair) as Market;
    const averagePrice = mulDiv(row[i + 5] as number, powerOfTen(assetDecimals), quantity);
    return {
      pair,
      id: row[i] as number,
      kind: row[i + 9] === 1 ? 'entry' : 'exit',
      side,
      reason: reasons[row[i + 11] as number] as Reason,
      openedAt: row[i + 1] as number,
      closedAt: row[i + 2] as number,
      quantity,
      averagePrice,
      firstPrice,
      slippagePercent: slippagePercent(side, firstPrice, averagePrice),
      feeQuote: row[i + 6] as number,
      realised: row[i + 7] as number,
      cycleResult: Number.isNaN(row[i + 13]) ? null : (row[i + 13] as number),
      how: ends[row[i + 12] as number] as ParentOrderEnd,
    };
  };
  return readRows(tradeRows, read, isOf(only, pairs, 8));
}

/** Returns every closed position in the order of their ends, only of the pair `only` where given. */
export function positionsOf({ positionRows, pairs, reasons }: RunRecord, only?: string): Iterable<ClosedPosition> {
  const read = (row: Float64Array, i: number): ClosedPosition => ({
    id: row[i + 7] as number,
    pair: pairs[row[i + 6] as number] as string,
    direction: row[i] === 1 ? 1 : -1,
    openedAt: row[i + 1] as number,
    closedAt: row[i + 2] as number,
    entryPrice: row[i + 3] as number,
    exitPrice: row[i + 8] === NONE ? null : (row[i + 8] as number),
    quantity: row[i + 9] as number,
    assetDecimals: row[i + 12] as number,
    net: row[i + 4] as number,
    fees: row[i + 5] as number,
    funding: row[i + 10] as number,
    reason: row[i + 11] === NONE ? null : (reasons[row[i + 11] as number] as Reason),
  });
  return readRows(positionRows, read, isOf(only, pairs, 6));
}

/** Returns a filter for the rows of a pair, whose number is in `column`. */
function isOf(only: string | undefined, pairs: readonly string[], column: number) {
  if (only === undefined) return undefined;
  const code = pairs.indexOf(only);
  return (row: Float64Array, i: number) => row[i + column] === code;
}

/** Numbers of the texts of one pair; a list of all pairs would be slow to search. */
interface PairCodes {
  readonly of: PairState;
  readonly pair: number;
  readonly base: string;
  readonly baseCode: number;
  readonly quote: string;
  readonly quoteCode: number;
}

function codesOf(known: PairCodes[], { pairs, assets }: RunRecord, of: PairState): PairCodes {
  for (let k = 0; k < known.length; k++) if (known[k]?.of === of) return known[k] as PairCodes;
  // The first record of a pair is a fill, for which its market must be known.
  const { base, quote } = of.market as Market;
  const pair = codeOf(pairs, of.pair);
  const codes = { of, pair, base, baseCode: codeOf(assets, base), quote, quoteCode: codeOf(assets, quote) };
  known.push(codes);
  return codes;
}

// It is shared by all runs, so that V8 removes its calls.
const nothing = () => {};

/** Target of the functions of a {@link createRecordObserver}. */
interface Recorder {
  readonly record: RunRecord;
  readonly known: PairCodes[];
}

/** Functions of an observer that record something. */
type RecordedEvent =
  | 'refusal'
  | 'fill'
  | 'parentOrderEnd'
  | 'funding'
  | 'liquidation'
  | 'positionClosed'
  | 'closedChanged';

/**
 * The functions of a {@link createRecordObserver}. They are shared by all runs and use `this`, because V8 discards code that it
 * optimized for the functions of one run.
 */
const RECORDING: Pick<BotObserver, RecordedEvent> & ThisType<Recorder> = {
  refusal(_at: number, _pair: PairState, gate: Refusal): void {
    const { refusals } = this.record;
    refusals[gate] = (refusals[gate] ?? 0) + 1;
  },

  fill(
    at: number,
    pair: PairState,
    { side, kind, reason }: ParentOrder,
    { quantity, price, fee, feeAsset, liquidity }: OrderFill,
    booked: Pick<Booked, 'feeQuote' | 'realised'>,
  ): void {
    const { fillRows, assets, reasons } = this.record;
    const codes = codesOf(this.known, this.record, pair);
    const i = addRow(fillRows);
    const row = fillRows.block;
    row[i] = at;
    row[i + 1] = quantity;
    row[i + 2] = price;
    row[i + 3] = fee;
    row[i + 4] = booked.feeQuote;
    row[i + 5] = booked.realised;
    row[i + 6] = codes.pair;
    row[i + 7] = side === 'buy' ? 1 : 0;
    row[i + 8] = kind === 'entry' ? 1 : 0;
    row[i + 9] =
      feeAsset === codes.base ? codes.baseCode : feeAsset === codes.quote ? codes.quoteCode : codeOf(assets, feeAsset);
    row[i + 10] = liquidity === 'maker' ? 1 : 0;
    row[i + 11] = codeOf(reasons, reason);
  },

  parentOrderEnd(at: number, pair: PairState, parent: ParentOrder, how: ParentOrderEnd): void {
    if (parent.filled === 0) return;
    const { tradeRows, reasons, ends } = this.record;
    const i = addRow(tradeRows);
    const row = tradeRows.block;
    row[i] = parent.id;
    row[i + 1] = parent.openedAt;
    row[i + 2] = at;
    row[i + 3] = parent.filled;
    row[i + 4] = parent.firstPrice;
    row[i + 5] = parent.notional;
    row[i + 6] = parent.feeQuote;
    row[i + 7] = parent.realised;
    row[i + 8] = codesOf(this.known, this.record, pair).pair;
    row[i + 9] = parent.kind === 'entry' ? 1 : 0;
    row[i + 10] = parent.side === 'buy' ? 1 : 0;
    row[i + 11] = codeOf(reasons, parent.reason);
    row[i + 12] = codeOf(ends, how);
    row[i + 13] = parent.cycleResult ?? Number.NaN;
  },

  funding(at: number, { pair }: PairState, amount: Quote, rate: Ratio | null, mark: Price | null): void {
    // A simulated exchange gives both.
    this.record.funding.push({ pair, at, amount, rate: rate ?? 0, mark: mark ?? 0 });
  },

  liquidation(
    at: number,
    { pair }: PairState,
    _position: Position,
    { price, realised, fee, insurance }: { price: Price; realised: Quote; fee: Quote; insurance: Quote },
  ): void {
    this.record.liquidations.push({ pair, at, price, realised, fee, insurance });
  },

  positionClosed(pair: PairState, closed: ClosedPosition): void {
    const { positionRows, reasons } = this.record;
    const i = addRow(positionRows);
    const row = positionRows.block;
    row[i] = closed.direction;
    row[i + 1] = closed.openedAt;
    row[i + 2] = closed.closedAt;
    row[i + 3] = closed.entryPrice;
    row[i + 4] = closed.net;
    row[i + 5] = closed.fees;
    row[i + 6] = codesOf(this.known, this.record, pair).pair;
    row[i + 7] = closed.id;
    row[i + 8] = closed.exitPrice ?? NONE;
    row[i + 9] = closed.quantity;
    row[i + 10] = closed.funding;
    row[i + 12] = closed.assetDecimals;
    row[i + 11] = closed.reason === null ? NONE : codeOf(reasons, closed.reason);
  },

  closedChanged(_pair: PairState, { id, net, fees, funding }: ClosedPosition): void {
    const found = findLastRow(this.record.positionRows, (row, i) => row[i + 7] === id);
    if (found === null) return;
    const { row, i } = found;
    row[i + 4] = net;
    row[i + 5] = fees;
    row[i + 10] = funding;
  },
};

/** Creates an observer that records what a report needs. */
export function createRecordObserver(record: RunRecord): BotObserver {
  const observer: BotObserver & Recorder = {
    record,
    known: [],
    status: nothing,
    command: nothing,
    signal: nothing,
    parentOrder: nothing,
    order: nothing,
    orderPlan: nothing,
    leverage: nothing,
    volume: nothing,
    suspension: nothing,
    phase: nothing,
    alarm: nothing,
    candle: nothing,
    refusal: RECORDING.refusal,
    fill: RECORDING.fill,
    parentOrderEnd: RECORDING.parentOrderEnd,
    funding: RECORDING.funding,
    liquidation: RECORDING.liquidation,
    positionClosed: RECORDING.positionClosed,
    closedChanged: RECORDING.closedChanged,
  };
  return observer;
}
