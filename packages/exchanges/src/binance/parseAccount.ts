import type { ExpiryReason, OrderReport, OwnFill } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { LiveOrder } from '@heron/engine/state/parentOrder.ts';
import type { Row } from '../http/row.ts';
import type { Balance, OpenOrder } from '../trading.ts';
import { exactUnits, unitsUp } from '../venue/amounts.ts';
import { orderKey } from '../venue/orderIds.ts';

export type MarketById = (id: string) => Market | undefined;

/** A pair of the account that is not in the list of pairs. */
class UnknownPair extends TypeError {}

/**
 * Reads an order of REST: `{"symbol":"BTCUSDT","clientOrderId":"a","price":"1.00","origQty":"1.0","executedQty":"0.0",
 * "status":"NEW","type":"LIMIT_MAKER","side":"BUY","updateTime":1}`
 *
 * @param name field with the client id: responses to cancels use `origClientOrderId`
 */
export function orderOf(row: Row, marketById: MarketById, name: 'clientOrderId' | 'origClientOrderId'): OpenOrder {
  const market = marketOf(row.symbol, marketById);
  return {
    clientOrderId: String(row[name]),
    pair: market.pair,
    side: sideOf(row.side),
    type: typeOf(row.type, row.timeInForce),
    price: exactUnits(String(row.price)),
    quantity: exactUnits(String(row.origQty), market.assetDecimals),
    ...triggerOf(row.stopPrice),
    filled: exactUnits(String(row.executedQty), market.assetDecimals),
    status: statusOf(row.status),
    ...expiryOf(row.status, row.expiryReason),
    at: Number(row.updateTime ?? row.transactTime ?? row.time),
    exit: false,
  };
}

/** Reads a fill in the response to a new order: `{"price":"1.00","qty":"1.0","commission":"0.001","commissionAsset":"BTC","tradeId":7}` */
export function answeredFill(row: Row, order: OrderReport, market: Market): OwnFill {
  return {
    id: String(row.tradeId),
    at: order.at,
    pair: order.pair,
    clientOrderId: order.clientOrderId,
    side: order.side,
    price: exactUnits(String(row.price)),
    quantity: exactUnits(String(row.qty), market.assetDecimals),
    ...feeOf(row.commission, row.commissionAsset, market),
    // An order that fills at once takes liquidity.
    liquidity: 'taker',
    exit: false,
  };
}

/** Reads a row of `myTrades`, of Binance or MEXC. @param clientOrderId is missing in the rows of Binance */
export function tradeOfAccount(row: Row, market: Market, clientOrderId: string): OwnFill {
  return {
    id: String(row.id),
    at: Number(row.time),
    pair: market.pair,
    clientOrderId,
    side: String(row.isBuyer) === 'true' ? 'buy' : 'sell',
    price: exactUnits(String(row.price)),
    quantity: exactUnits(String(row.qty), market.assetDecimals),
    ...feeOf(row.commission, row.commissionAsset, market),
    liquidity: String(row.isMaker) === 'true' ? 'maker' : 'taker',
    exit: false,
  };
}

/**
 * Reads an `executionReport`: the new state of the order, and its fill, if any. Returns null for pairs that are not listed.
 */
export function executionOf(
  event: Row,
  marketById: MarketById,
): { report: OrderReport; order: string; fill: OwnFill | null } | null {
  const market = marketById(String(event.s));
  if (market === undefined) return null;
  // `C` is the client id of a cancelled order; `c` is then the client id of the cancel.
  const original = String(event.C ?? '');
  const clientOrderId = original === '' ? String(event.c) : original;
  const report: OrderReport = {
    clientOrderId,
    pair: market.pair,
    side: sideOf(event.S),
    type: typeOf(event.o, event.f),
    price: exactUnits(String(event.p)),
    quantity: exactUnits(String(event.q), market.assetDecimals),
    filled: exactUnits(String(event.z), market.assetDecimals),
    status: statusOf(event.X),
    ...expiryOf(event.X, event.eR),
    at: Number(event.T),
  };
  const fill: OwnFill | null =
    event.x !== 'TRADE'
      ? null
      : {
          id: String(event.t),
          at: report.at,
          pair: market.pair,
          clientOrderId,
          side: report.side,
          price: exactUnits(String(event.L)),
          quantity: exactUnits(String(event.l), market.assetDecimals),
          ...feeOf(event.n, event.N, market),
          liquidity: event.m === true ? 'maker' : 'taker',
          exit: false,
        };
  return { report, order: orderKey(event.s, event.i), fill };
}

/** Reads the changed balances of an `outboundAccountPosition`. */
export function balancesOf(event: Row): Balance[] {
  return (event.B as Row[]).map(({ a, f, l }) => ({ asset: String(a), free: String(f), locked: String(l) }));
}

/** @throws UnknownPair */
export function marketOf(id: unknown, marketById: MarketById): Market {
  const market = marketById(String(id));
  if (market === undefined) throw new UnknownPair(`${String(id)} is not a listed pair`);
  return market;
}

/** Returns a fee in the ledger's units: asset units of the base asset, 1e-8 of any other asset. */
export function feeOf(amount: unknown, asset: unknown, market: Market): Pick<OwnFill, 'fee' | 'feeAsset'> {
  const feeAsset = asset === null || asset === undefined ? market.quote : String(asset);
  const fee = feeAsset === market.base ? unitsUp(String(amount), market.assetDecimals) : unitsUp(String(amount));
  return { fee, feeAsset };
}

export function sideOf(side: unknown): 'buy' | 'sell' {
  return side === 'BUY' ? 'buy' : 'sell';
}

/** Reads the trigger of a stop, which the last price triggers. Other orders have 0 or no field. */
function triggerOf(price: unknown): Pick<OrderReport, 'trigger'> {
  const trigger = exactUnits(String(price ?? '0'));
  return trigger > 0 ? { trigger: { price: trigger, by: 'last' } } : {};
}

function typeOf(type: unknown, timeInForce: unknown): LiveOrder['type'] | null {
  if (type === 'LIMIT_MAKER') return 'limit_maker';
  if (type === 'MARKET') return 'market';
  if (type === 'STOP_LOSS') return 'stop_market';
  if (type === 'STOP_LOSS_LIMIT') return 'stop_limit';
  return type === 'LIMIT' && timeInForce === 'IOC' ? 'limit_ioc' : null;
}

const EXPIRIES: Readonly<Record<string, ExpiryReason>> = {
  REJECTED: 'by_exchange',
  EXCHANGE_CANCELED: 'by_exchange',
  UNFILLED_IOC_QUANTITY_EXPIRED: 'unfilled_ioc',
  UNFILLED_FOK_ORDER_EXPIRED: 'unfilled_fok',
  INSUFFICIENT_LIQUIDITY: 'no_liquidity',
  EXECUTION_RULE_PRICE_RANGE_EXCEEDED: 'price_range',
};

/** Returns the reason of an expired order; an empty object for other orders or without a reason. */
function expiryOf(status: unknown, reason: unknown): Pick<OrderReport, 'expiry'> {
  if (status === 'EXPIRED_IN_MATCH') return { expiry: 'self_trade' };
  if (status !== 'EXPIRED' || reason === undefined || reason === null || reason === 'NONE') return {};
  return { expiry: EXPIRIES[String(reason)] ?? 'other' };
}

export function statusOf(status: unknown): OrderReport['status'] {
  switch (status) {
    case 'FILLED':
      return 'filled';
    case 'CANCELED':
      return 'canceled';
    case 'REJECTED':
      return 'rejected';
    case 'EXPIRED':
    case 'EXPIRED_IN_MATCH':
      return 'expired';
    case 'NEW':
    // A liquidation that the insurance fund or a counterparty takes over; its fills follow.
    case 'NEW_INSURANCE':
    case 'NEW_ADL':
    case 'PENDING_NEW':
    case 'PARTIALLY_FILLED':
    case 'PENDING_CANCEL':
      return 'open';
    default:
      throw new TypeError(`${String(status)} is not a known status`);
  }
}
