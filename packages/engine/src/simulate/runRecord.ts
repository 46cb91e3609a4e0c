import type { Witness } from '../bot/witness.ts';
import type { Market } from '../market/market.ts';
import { mulDiv, type Price, powerOfTen, type Quantity, type Quote, type Ratio } from '../money/units.ts';
import { type Direction, INTENT_ENDS, type IntentEnd, REASONS, type Reason } from '../orders/intent.ts';
import { slippagePercent } from './journal.ts';
import { addRow, type NumberRows, numberRows, readRows } from './numberRows.ts';

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
  /** Net result of an exit; of an entry what its fee cost at once (futures), else 0. */
  realised: Quote;
  reason: Reason;
}

/** One intent with fills. @see accounting.md 6 */
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
  /** Net result of an exit; of an entry what its fee cost at once (futures), else 0. */
  realised: Quote;
  how: IntentEnd;
}

/** A closed position, flat to flat. */
export interface ClosedPosition {
  pair: string;
  direction: Direction;
  openedAt: number;
  closedAt: number;
  entryPrice: Price;
  net: Quote;
  fees: Quote;
}

/** A funding payment of one pair; above 0 was received. */
export interface FundingRecord {
  pair: string;
  at: number;
  amount: Quote;
  rate: Ratio;
  mark: Price;
}

/** A position that the exchange closed. @see accounting.md 3.8 */
export interface LiquidationRecord {
  pair: string;
  at: number;
  price: Price;
  realised: Quote;
  fee: Quote;
  /** What of the loss the wallet could not pay. */
  insurance: Quote;
}

/** What a run traded, and what it refused to. Read rows by {@link fillsOf}, {@link tradesOf}, {@link positionsOf}. */
export interface RunRecord {
  /** Pairs by the number that rows have for them. */
  readonly pairs: readonly string[];
  /** Assets by the number that rows have for them. */
  readonly assets: string[];
  readonly fillRows: NumberRows;
  readonly tradeRows: NumberRows;
  readonly positionRows: NumberRows;
  /** Refusals counted by gate. */
  refusals: Record<string, number>;
  funding: FundingRecord[];
  liquidations: LiquidationRecord[];
}

const FILL_WIDTH = 12;
const TRADE_WIDTH = 13;
const POSITION_WIDTH = 7;

/** @param pairs in the order of the bot's */
export function createRunRecord(pairs: readonly string[]): RunRecord {
  return {
    pairs,
    assets: [],
    fillRows: numberRows(FILL_WIDTH),
    tradeRows: numberRows(TRADE_WIDTH),
    positionRows: numberRows(POSITION_WIDTH),
    refusals: {},
    funding: [],
    liquidations: [],
  };
}

/** Every fill, oldest first. */
export function fillsOf({ fillRows, pairs, assets }: RunRecord): FillRecord[] {
  return readRows(fillRows, (row, i) => ({
    pair: pairs[row[i] as number] as string,
    at: row[i + 1] as number,
    side: row[i + 2] === 1 ? 'buy' : 'sell',
    kind: row[i + 3] === 1 ? 'entry' : 'exit',
    quantity: row[i + 4] as number,
    price: row[i + 5] as number,
    fee: row[i + 6] as number,
    feeAsset: assets[row[i + 7] as number] as string,
    feeQuote: row[i + 8] as number,
    liquidity: row[i + 9] === 1 ? 'maker' : 'taker',
    reason: REASONS[row[i + 10] as number] as Reason,
    realised: row[i + 11] as number,
  }));
}

/** Every intent with fills, in the order of their ends. */
export function tradesOf({ tradeRows, pairs }: RunRecord, markets: ReadonlyMap<string, Market>): TradeRecord[] {
  return readRows(tradeRows, (row, i) => {
    const pair = pairs[row[i] as number] as string;
    const side = row[i + 3] === 1 ? ('buy' as const) : ('sell' as const);
    const quantity = row[i + 7] as number;
    const firstPrice = row[i + 8] as number;
    const { assetDecimals } = markets.get(pair) as Market;
    const averagePrice = mulDiv(row[i + 9] as number, powerOfTen(assetDecimals), quantity);
    return {
      pair,
      id: row[i + 1] as number,
      kind: row[i + 2] === 1 ? 'entry' : 'exit',
      side,
      reason: REASONS[row[i + 4] as number] as Reason,
      openedAt: row[i + 5] as number,
      closedAt: row[i + 6] as number,
      quantity,
      averagePrice,
      firstPrice,
      slippagePercent: slippagePercent(side, firstPrice, averagePrice),
      feeQuote: row[i + 10] as number,
      realised: row[i + 11] as number,
      how: INTENT_ENDS[row[i + 12] as number] as IntentEnd,
    };
  });
}

/** Every closed position, in the order of their ends. */
export function positionsOf({ positionRows, pairs }: RunRecord): ClosedPosition[] {
  return readRows(positionRows, (row, i) => ({
    pair: pairs[row[i] as number] as string,
    direction: row[i + 1] === 1 ? 1 : -1,
    openedAt: row[i + 2] as number,
    closedAt: row[i + 3] as number,
    entryPrice: row[i + 4] as number,
    net: row[i + 5] as number,
    fees: row[i + 6] as number,
  }));
}

/** A witness that keeps what a report needs. */
export function recordWitness(record: RunRecord): Witness {
  const nothing = () => {};
  const { fillRows, tradeRows, positionRows, pairs, assets } = record;
  return {
    status: nothing,
    command: nothing,
    signal: nothing,
    intent: nothing,
    order: nothing,
    ladder: nothing,
    phase: nothing,
    alarm: nothing,
    refusal: (_at, _pair, gate) => {
      record.refusals[gate] = (record.refusals[gate] ?? 0) + 1;
    },
    fill: (at, { pair }, intent, fill, booked) => {
      const i = addRow(fillRows);
      const row = fillRows.block;
      row[i] = pairs.indexOf(pair);
      row[i + 1] = at;
      row[i + 2] = intent.side === 'buy' ? 1 : 0;
      row[i + 3] = intent.kind === 'entry' ? 1 : 0;
      row[i + 4] = fill.quantity;
      row[i + 5] = fill.price;
      row[i + 6] = fill.fee;
      row[i + 7] = numberOf(assets, fill.feeAsset);
      row[i + 8] = booked.feeQuote;
      row[i + 9] = fill.liquidity === 'maker' ? 1 : 0;
      row[i + 10] = REASONS.indexOf(intent.reason);
      row[i + 11] = booked.realised;
    },
    intentEnd: (at, { pair }, intent, how) => {
      if (intent.filled === 0) return;
      const i = addRow(tradeRows);
      const row = tradeRows.block;
      row[i] = pairs.indexOf(pair);
      row[i + 1] = intent.id;
      row[i + 2] = intent.kind === 'entry' ? 1 : 0;
      row[i + 3] = intent.side === 'buy' ? 1 : 0;
      row[i + 4] = REASONS.indexOf(intent.reason);
      row[i + 5] = intent.openedAt;
      row[i + 6] = at;
      row[i + 7] = intent.filled;
      row[i + 8] = intent.firstPrice;
      row[i + 9] = intent.notional;
      row[i + 10] = intent.feeQuote;
      row[i + 11] = intent.realised;
      row[i + 12] = INTENT_ENDS.indexOf(how);
    },
    funding: (at, { pair }, amount, rate, mark) => {
      record.funding.push({ pair, at, amount, rate, mark });
    },
    liquidation: (at, { pair }, _position, { price, realised, fee, insurance }) => {
      record.liquidations.push({ pair, at, price, realised, fee, insurance });
    },
    positionClosed: (at, { pair }, position, entryPrice) => {
      const i = addRow(positionRows);
      const row = positionRows.block;
      row[i] = pairs.indexOf(pair);
      row[i + 1] = position.direction;
      row[i + 2] = position.openedAt;
      row[i + 3] = at;
      row[i + 4] = entryPrice;
      row[i + 5] = position.realised;
      row[i + 6] = position.feeQuote;
    },
    candle: nothing,
  };
}

/** Number of a text in a list, to which it is added when it is new. */
function numberOf(list: string[], text: string): number {
  const known = list.indexOf(text);
  return known < 0 ? list.push(text) - 1 : known;
}
