import type { AccountEvent, AccountTrade, Desk, JournalRecord, Order } from '../account/desk.ts';
import { notionalDecimals, type Pair } from '../market/pairs.ts';
import { decimal, units } from './format.ts';

/** An order as queries return it. */
export function orderRow(pair: Pair, order: Order): object {
  return {
    symbol: order.symbol,
    orderId: order.id,
    orderListId: -1,
    clientOrderId: order.clientId,
    ...amounts(pair, order),
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    time: order.time,
    updateTime: order.updateTime,
    isWorking: true,
    workingTime: order.time,
    origQuoteOrderQty: units(order.quoteOrdered),
    selfTradePreventionMode: order.selfTrade,
  };
}

function amounts(pair: Pair, order: Order): object {
  return {
    price: decimal(order.tick, pair.priceDecimals),
    origQty: decimal(order.steps, pair.quantityDecimals),
    executedQty: decimal(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: decimal(order.turnover, notionalDecimals(pair)),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side.toUpperCase(),
  };
}

/** The answer to a new order. @param detail Binance's newOrderRespType */
export function placedRow(
  pair: Pair,
  order: Order,
  fills: readonly AccountEvent[],
  detail: 'ACK' | 'RESULT' | 'FULL',
): object {
  const ack = {
    symbol: order.symbol,
    orderId: order.id,
    orderListId: -1,
    clientOrderId: order.clientId,
    transactTime: order.time,
  };
  if (detail === 'ACK') return ack;
  return {
    ...ack,
    ...amounts(pair, order),
    origQuoteOrderQty: units(order.quoteOrdered),
    workingTime: order.time,
    ...(detail === 'FULL' && { fills: fills.flatMap(({ trade }) => (trade ? [fillRow(pair, trade)] : [])) }),
    selfTradePreventionMode: order.selfTrade,
  };
}

function fillRow(pair: Pair, trade: AccountTrade): object {
  return {
    price: decimal(trade.tick, pair.priceDecimals),
    qty: decimal(trade.steps, pair.quantityDecimals),
    commission: units(trade.commission),
    commissionAsset: trade.commissionAsset,
    tradeId: trade.id,
  };
}

/** The answer to a cancellation. */
export function cancelledRow(pair: Pair, order: Order, cancelId: string): object {
  return {
    symbol: order.symbol,
    origClientOrderId: order.clientId,
    orderId: order.id,
    orderListId: -1,
    clientOrderId: cancelId,
    transactTime: order.updateTime,
    ...amounts(pair, order),
    origQuoteOrderQty: units(order.quoteOrdered),
    selfTradePreventionMode: order.selfTrade,
  };
}

/** A row of GET /api/v3/myTrades. */
export function accountTradeRow(pair: Pair, trade: AccountTrade): object {
  return {
    symbol: trade.symbol,
    id: trade.id,
    orderId: trade.orderId,
    orderListId: -1,
    price: decimal(trade.tick, pair.priceDecimals),
    qty: decimal(trade.steps, pair.quantityDecimals),
    quoteQty: decimal(BigInt(trade.tick) * BigInt(trade.steps), notionalDecimals(pair)),
    commission: units(trade.commission),
    commissionAsset: trade.commissionAsset,
    time: trade.time,
    isBuyer: trade.side === 'buy',
    isMaker: trade.maker,
    isBestMatch: true,
  };
}

/** The answer of GET /api/v3/account. */
export function accountRow(desk: Desk, omitZero: boolean): object {
  return {
    makerCommission: 10,
    takerCommission: 10,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' },
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: desk.updateTime,
    accountType: 'SPOT',
    balances: [...desk.balances]
      .filter(([, { free, locked }]) => !omitZero || free + locked > 0n)
      .map(([asset, { free, locked }]) => ({ asset, free: units(free), locked: units(locked) })),
    permissions: ['SPOT'],
    uid: 1,
  };
}

/** An executionReport event. @returns undefined for what is no order */
export function executionReport(
  pairs: ReadonlyMap<string, Pair>,
  event: AccountEvent,
  time: number,
): object | undefined {
  const { order, trade, record } = event;
  const pair = order && pairs.get(order.symbol);
  if (!order || !pair) return undefined;
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  const quantity = (steps: number) => decimal(steps, pair.quantityDecimals);
  const isCancel = record.kind === 'end' && record.status === 'CANCELED';
  return {
    e: 'executionReport',
    E: time,
    s: order.symbol,
    c: isCancel ? record.clientId : order.clientId,
    S: order.side.toUpperCase(),
    o: order.type,
    f: order.timeInForce,
    q: quantity(order.steps),
    p: price(order.tick),
    P: '0.00000000',
    F: '0.00000000',
    g: -1,
    C: isCancel ? order.clientId : '',
    x: executionType(record),
    X: order.status,
    r: 'NONE',
    i: order.id,
    l: quantity(trade?.steps ?? 0),
    z: quantity(order.filled),
    L: price(trade?.tick ?? 0),
    n: trade ? units(trade.commission) : '0',
    N: trade?.commissionAsset ?? null,
    T: event.time,
    t: trade?.id ?? -1,
    I: order.id,
    w: order.status === 'NEW' || order.status === 'PARTIALLY_FILLED',
    m: trade?.maker ?? false,
    M: false,
    O: order.time,
    Z: decimal(order.turnover, notionalDecimals(pair)),
    Y: decimal(trade ? BigInt(trade.tick) * BigInt(trade.steps) : 0n, notionalDecimals(pair)),
    Q: units(order.quoteOrdered),
    W: order.time,
    V: order.selfTrade,
  };
}

function executionType(record: JournalRecord): string {
  if (record.kind === 'fill') return 'TRADE';
  if (record.kind !== 'end') return 'NEW';
  return record.status === 'EXPIRED_IN_MATCH' ? 'TRADE_PREVENTION' : record.status;
}

/** An outboundAccountPosition event. */
export function accountPosition(event: AccountEvent, time: number): object {
  return {
    e: 'outboundAccountPosition',
    E: time,
    u: event.time,
    B: event.balances.map(({ asset, free, locked }) => ({ a: asset, f: units(free), l: units(locked) })),
  };
}
