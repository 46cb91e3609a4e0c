import type { SpotAccount } from '../../accounts/spot/spotAccount.ts';
import {
  type AccountEvent,
  type AccountTrade,
  type Amendment,
  isUntriggered,
  type SpotOrder,
  type SpotRecord,
} from '../../accounts/spot/spotOrders.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import { decimal, units } from './format.ts';

/** Returns an order for queries. */
export function orderRow(pair: Pair, order: SpotOrder): object {
  return {
    symbol: order.symbol,
    orderId: order.id,
    orderListId: -1,
    clientOrderId: order.clientId,
    ...amounts(pair, order),
    stopPrice: decimal(order.stopTick, pair.priceDecimals),
    icebergQty: '0.00000000',
    time: order.time,
    updateTime: order.updateTime,
    isWorking: !isUntriggered(order),
    workingTime: order.workingTime,
    origQuoteOrderQty: units(order.quoteOrdered),
    selfTradePreventionMode: order.selfTrade,
    ...expiryReason(order),
  };
}

function expiryReason({ expiryReason: reason }: SpotOrder): object {
  return reason === undefined ? {} : { expiryReason: reason };
}

function amounts(pair: Pair, order: SpotOrder): object {
  return {
    price: decimal(order.tick, pair.priceDecimals),
    origQty: decimal(order.steps, pair.quantityDecimals),
    executedQty: decimal(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: decimal(order.turnover, notionalDecimals(pair)),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side.toUpperCase(),
    ...(order.prevented > 0 && { preventedQuantity: decimal(order.prevented, pair.quantityDecimals) }),
  };
}

/** Returns the stop price, for responses to stop orders only. */
function stopPrice(pair: Pair, order: SpotOrder): object {
  return order.stopTick > 0 ? { stopPrice: decimal(order.stopTick, pair.priceDecimals) } : {};
}

/** Returns the response to a new order. @param detail Binance's newOrderRespType */
export function placedRow(
  pair: Pair,
  order: SpotOrder,
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
    ...stopPrice(pair, order),
    origQuoteOrderQty: units(order.quoteOrdered),
    workingTime: order.workingTime,
    ...(detail === 'FULL' && { fills: fills.flatMap(({ trade }) => (trade ? [fillRow(pair, trade)] : [])) }),
    selfTradePreventionMode: order.selfTrade,
    ...expiryReason(order),
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

/** Returns the response to a cancellation. */
export function cancelledRow(pair: Pair, order: SpotOrder, cancelId: string): object {
  return {
    symbol: order.symbol,
    origClientOrderId: order.clientId,
    orderId: order.id,
    orderListId: -1,
    clientOrderId: cancelId,
    transactTime: order.updateTime,
    ...amounts(pair, order),
    ...stopPrice(pair, order),
    origQuoteOrderQty: units(order.quoteOrdered),
    selfTradePreventionMode: order.selfTrade,
  };
}

/** Returns the response to an amendment. */
export function amendedRow(pair: Pair, before: SpotOrder, after: SpotOrder): object {
  return {
    transactTime: after.updateTime,
    executionId: after.updateTime,
    amendedOrder: {
      symbol: after.symbol,
      orderId: after.id,
      orderListId: -1,
      origClientOrderId: before.clientId,
      clientOrderId: after.clientId,
      price: decimal(after.tick, pair.priceDecimals),
      qty: decimal(after.steps, pair.quantityDecimals),
      executedQty: decimal(after.filled, pair.quantityDecimals),
      preventedQty: decimal(after.prevented, pair.quantityDecimals),
      quoteOrderQty: units(after.quoteOrdered),
      cumulativeQuoteQty: decimal(after.turnover, notionalDecimals(pair)),
      status: after.status,
      timeInForce: after.timeInForce,
      type: after.type,
      side: after.side.toUpperCase(),
      ...stopPrice(pair, after),
      workingTime: after.workingTime,
      selfTradePreventionMode: after.selfTrade,
    },
  };
}

/** Returns a row of GET /api/v3/order/amendments. */
export function amendmentRow(pair: Pair, order: SpotOrder, { time, steps, clientId }: Amendment): object {
  return {
    symbol: order.symbol,
    orderId: order.id,
    executionId: time,
    origClientOrderId: clientId.from,
    newClientOrderId: clientId.to,
    origQty: decimal(steps.from, pair.quantityDecimals),
    newQty: decimal(steps.to, pair.quantityDecimals),
    time,
  };
}

/** Returns a row of GET /api/v3/myTrades. */
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

/**
 * Returns the standard commission and no other. @param forOrder true for a test of an order, which has other field
 * names
 */
export function commissionRow(forOrder: boolean): object {
  const end = forOrder ? 'ForOrder' : '';
  const sides = forOrder ? {} : { buyer: '0.00000000', seller: '0.00000000' };
  const none = { maker: '0.00000000', taker: '0.00000000', ...sides };
  return {
    [`standardCommission${end}`]: { ...none, maker: '0.00100000', taker: '0.00100000' },
    [`specialCommission${end}`]: none,
    [`taxCommission${end}`]: none,
    discount: { enabledForAccount: false, enabledForSymbol: false, discountAsset: 'BNB', discount: '0.75000000' },
  };
}

/** Returns the response of GET /api/v3/account. */
export function accountRow(account: SpotAccount, omitZero: boolean): object {
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
    updateTime: account.updateTime,
    accountType: 'SPOT',
    balances: [...account.balances]
      .filter(([, { free, locked }]) => !omitZero || free + locked > 0n)
      .map(([asset, { free, locked }]) => ({ asset, free: units(free), locked: units(locked) })),
    permissions: ['SPOT'],
    uid: 1,
  };
}

/** Returns an executionReport event. @returns undefined for an event without an order */
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
    P: price(order.stopTick),
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
    w: (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED') && !isUntriggered(order),
    m: trade?.maker ?? false,
    M: false,
    O: order.time,
    Z: decimal(order.turnover, notionalDecimals(pair)),
    Y: decimal(trade ? BigInt(trade.tick) * BigInt(trade.steps) : 0n, notionalDecimals(pair)),
    Q: units(order.quoteOrdered),
    ...(!isUntriggered(order) && { W: order.workingTime }),
    V: order.selfTrade,
    ...(order.expiryReason !== undefined && { eR: order.expiryReason }),
    ...(order.prevented > 0 && {
      A: quantity(order.prevented),
      B: quantity(record.kind === 'prevent' ? record.steps : 0),
    }),
  };
}

function executionType(record: SpotRecord): string {
  if (record.kind === 'fill') return 'TRADE';
  if (record.kind === 'prevent') return 'TRADE_PREVENTION';
  if (record.kind === 'amend') return 'REPLACED';
  if (record.kind !== 'end') return 'NEW';
  return record.status === 'EXPIRED_IN_MATCH' ? 'TRADE_PREVENTION' : record.status;
}

/** Returns an outboundAccountPosition event. */
export function accountPosition(event: AccountEvent, time: number): object {
  return {
    e: 'outboundAccountPosition',
    E: time,
    u: event.time,
    B: event.balances.map(({ asset, free, locked }) => ({ a: asset, f: units(free), l: units(locked) })),
  };
}
