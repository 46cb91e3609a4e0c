import type { Witness } from '../bot/witness.ts';
import type { Market } from '../market/market.ts';
import { mulDiv, type Price, powerOfTen, type Quantity, type Quote, type Ratio } from '../money/units.ts';
import type { Direction, IntentEnd, Reason } from '../orders/intent.ts';
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
  readonly fillRows: NumberRows;
  readonly tradeRows: NumberRows;
  readonly positionRows: NumberRows;
  /** Refusals counted by gate. */
  refusals: Record<string, number>;
  funding: FundingRecord[];
  liquidations: LiquidationRecord[];
}

const FILL_WIDTH = 6;
const TRADE_WIDTH = 8;
const POSITION_WIDTH = 6;

export function createRunRecord(): RunRecord {
  return {
    fillRows: numberRows(FILL_WIDTH),
    tradeRows: numberRows(TRADE_WIDTH),
    positionRows: numberRows(POSITION_WIDTH),
    refusals: {},
    funding: [],
    liquidations: [],
  };
}

/** Every fill, oldest first. */
export function fillsOf({ fillRows }: RunRecord): FillRecord[] {
  const { texts } = fillRows;
  return readRows(fillRows, (row, i, n) => ({
    pair: texts[6 * n] as string,
    at: row[i] as number,
    side: texts[6 * n + 1] as FillRecord['side'],
    kind: texts[6 * n + 2] as FillRecord['kind'],
    quantity: row[i + 1] as number,
    price: row[i + 2] as number,
    fee: row[i + 3] as number,
    feeAsset: texts[6 * n + 3] as string,
    feeQuote: row[i + 4] as number,
    liquidity: texts[6 * n + 4] as FillRecord['liquidity'],
    reason: texts[6 * n + 5] as Reason,
    realised: row[i + 5] as number,
  }));
}

/** Every intent with fills, in the order of their ends. */
export function tradesOf({ tradeRows }: RunRecord, markets: ReadonlyMap<string, Market>): TradeRecord[] {
  const { texts } = tradeRows;
  return readRows(tradeRows, (row, i, n) => {
    const pair = texts[5 * n] as string;
    const side = texts[5 * n + 2] as TradeRecord['side'];
    const quantity = row[i + 3] as number;
    const firstPrice = row[i + 4] as number;
    const { assetDecimals } = markets.get(pair) as Market;
    const averagePrice = mulDiv(row[i + 5] as number, powerOfTen(assetDecimals), quantity);
    return {
      pair,
      id: row[i] as number,
      kind: texts[5 * n + 1] as TradeRecord['kind'],
      side,
      reason: texts[5 * n + 3] as Reason,
      openedAt: row[i + 1] as number,
      closedAt: row[i + 2] as number,
      quantity,
      averagePrice,
      firstPrice,
      slippagePercent: slippagePercent(side, firstPrice, averagePrice),
      feeQuote: row[i + 6] as number,
      realised: row[i + 7] as number,
      how: texts[5 * n + 4] as IntentEnd,
    };
  });
}

/** Every closed position, in the order of their ends. */
export function positionsOf({ positionRows }: RunRecord): ClosedPosition[] {
  const { texts } = positionRows;
  return readRows(positionRows, (row, i, n) => ({
    pair: texts[n] as string,
    direction: row[i] === 1 ? 1 : -1,
    openedAt: row[i + 1] as number,
    closedAt: row[i + 2] as number,
    entryPrice: row[i + 3] as number,
    net: row[i + 4] as number,
    fees: row[i + 5] as number,
  }));
}

/** A witness that keeps what a report needs. */
export function recordWitness(record: RunRecord): Witness {
  const nothing = () => {};
  const { fillRows, tradeRows, positionRows } = record;
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
    fill: (at, { pair }, { side, kind, reason }, { quantity, price, fee, feeAsset, liquidity }, booked) => {
      const i = addRow(fillRows);
      const row = fillRows.block;
      row[i] = at;
      row[i + 1] = quantity;
      row[i + 2] = price;
      row[i + 3] = fee;
      row[i + 4] = booked.feeQuote;
      row[i + 5] = booked.realised;
      fillRows.texts.push(pair, side, kind, feeAsset, liquidity, reason);
    },
    intentEnd: (at, { pair }, intent, how) => {
      if (intent.filled === 0) return;
      const i = addRow(tradeRows);
      const row = tradeRows.block;
      row[i] = intent.id;
      row[i + 1] = intent.openedAt;
      row[i + 2] = at;
      row[i + 3] = intent.filled;
      row[i + 4] = intent.firstPrice;
      row[i + 5] = intent.notional;
      row[i + 6] = intent.feeQuote;
      row[i + 7] = intent.realised;
      tradeRows.texts.push(pair, intent.kind, intent.side, intent.reason, how);
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
      row[i] = position.direction;
      row[i + 1] = position.openedAt;
      row[i + 2] = at;
      row[i + 3] = entryPrice;
      row[i + 4] = position.realised;
      row[i + 5] = position.feeQuote;
      positionRows.texts.push(pair);
    },
    candle: nothing,
  };
}
