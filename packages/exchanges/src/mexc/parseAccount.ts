import type { OrderReport } from '@heron/engine/live/report.ts';
import type { LiveOrder } from '@heron/engine/state/parentOrder.ts';
import { type MarketById, marketOf, sideOf, statusOf } from '../binance/parseAccount.ts';
import type { Row } from '../http/row.ts';
import type { Balance, OpenOrder } from '../trading.ts';
import { exactUnits } from '../venue/amounts.ts';

/** A post-only order that is cancelled without a fill this soon after its creation would have taken. */
const REJECTED_WITHIN_MS = 1_000;

const TYPES: ReadonlyMap<unknown, LiveOrder['type']> = new Map([
  ['MARKET', 'market'],
  ['LIMIT_MAKER', 'limit_maker'],
  ['IMMEDIATE_OR_CANCEL', 'limit_ioc'],
]);

/** Order types by the numbers of the stream. */
const TYPE_NUMBERS: ReadonlyMap<number, LiveOrder['type']> = new Map([
  [2, 'limit_maker'],
  [3, 'limit_ioc'],
  [5, 'market'],
]);

const STATUS_NUMBERS: ReadonlyMap<number, OrderReport['status']> = new Map([
  [1, 'open'],
  [2, 'filled'],
  [3, 'open'],
  [4, 'canceled'],
  [5, 'canceled'],
]);

/**
 * Reads an order of REST: `{"symbol":"BTCUSDT","clientOrderId":"a","price":"1.00","origQty":"1.0","executedQty":"0.0",
 * "status":"NEW","type":"LIMIT_MAKER","side":"BUY","time":1,"updateTime":1}`
 *
 * @param isCancelRequested whether Heron has requested to cancel the order
 */
export function orderOf(row: Row, marketById: MarketById, isCancelRequested: (name: string) => boolean): OpenOrder {
  const market = marketOf(row.symbol, marketById);
  const type = TYPES.get(row.type) ?? null;
  const at = Number(row.updateTime ?? row.time);
  return withPostOnlyRejection(
    {
      clientOrderId: nameOf(row),
      pair: market.pair,
      side: sideOf(row.side),
      type,
      // MEXC gives market orders a price, which has no meaning.
      price: type === 'market' ? 0 : exactUnits(String(row.price)),
      // The documents name the field `Qty`, the responses `origQty`.
      quantity: exactUnits(String(row.origQty ?? row.Qty), market.assetDecimals),
      filled: exactUnits(String(row.executedQty), market.assetDecimals),
      status: row.status === 'PARTIALLY_CANCELED' ? 'canceled' : statusOf(row.status),
      at,
      exit: false,
    },
    Number(row.time),
    isCancelRequested,
  );
}

/**
 * Reads an order of the stream: `{"id":"C02__1","clientId":"a","price":"1","quantity":"1","orderType":2,"tradeType":1,
 * "cumulativeQuantity":"0","status":1,"createTime":"1"}`. Returns null for pairs that are not listed.
 *
 * @param sentAt ms
 */
export function pushedOrder(
  fields: Row,
  symbol: string,
  sentAt: number,
  marketById: MarketById,
  isCancelRequested: (name: string) => boolean,
): OrderReport | null {
  const market = marketById(symbol);
  if (market === undefined) return null;
  const type = TYPE_NUMBERS.get(Number(fields.orderType)) ?? null;
  const status = STATUS_NUMBERS.get(Number(fields.status));
  if (status === undefined) throw new TypeError(`${String(fields.status)} is not a known status`);
  return withPostOnlyRejection(
    {
      clientOrderId: String(fields.clientId || fields.id),
      pair: market.pair,
      side: Number(fields.tradeType) === 1 ? 'buy' : 'sell',
      type,
      price: type === 'market' ? 0 : exactUnits(String(fields.price)),
      quantity: exactUnits(String(fields.quantity), market.assetDecimals),
      filled: exactUnits(String(fields.cumulativeQuantity), market.assetDecimals),
      status,
      at: sentAt,
    },
    Number(fields.createTime),
    isCancelRequested,
  );
}

/** Recognises a refused post-only order: MEXC accepts it and cancels it at once. @param madeAt ms */
function withPostOnlyRejection<Report extends OrderReport>(
  report: Report,
  madeAt: number,
  isCancelRequested: (name: string) => boolean,
): Report {
  const { type, status, filled, at, clientOrderId } = report;
  const isRejected =
    type === 'limit_maker' &&
    status === 'canceled' &&
    filled === 0 &&
    at - madeAt < REJECTED_WITHIN_MS &&
    !isCancelRequested(clientOrderId);
  return isRejected ? { ...report, status: 'post_only_rejected' } : report;
}

/** Returns the client id of an order or a trade. Orders of other programs may have none: then their own id is used. */
export function nameOf(row: Row): string {
  return String(row.clientOrderId || row.orderId);
}

/** Reads a balance of the stream: `{"vcoinName":"USDT","balanceAmount":"1","frozenAmount":"0"}` */
export function pushedBalance(fields: Row): Balance {
  const amount = (value: unknown) => String(value || '0');
  return { asset: String(fields.vcoinName), free: amount(fields.balanceAmount), locked: amount(fields.frozenAmount) };
}
