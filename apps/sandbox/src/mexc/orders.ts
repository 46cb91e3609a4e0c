import type { AccountTrade, Desk, Order } from '../account/desk.ts';
import type { PairMarket } from '../market/pair-market.ts';
import { notionalDecimals } from '../market/pairs.ts';
import { plain, units } from './format.ts';
import { clientIdText, orderIdText, orderStatusName, orderTypeName, tradeIdText } from './order-names.ts';

/** An order as queries return it. */
export function orderRow({ pair, index }: PairMarket, order: Order): object {
  return {
    symbol: order.symbol,
    orderId: orderIdText(order, index),
    orderListId: -1,
    clientOrderId: clientIdText(order),
    price: plain(order.tick, pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    executedQty: plain(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: plain(order.turnover, notionalDecimals(pair)),
    status: orderStatusName(order),
    timeInForce: order.timeInForce,
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
    stopPrice: null,
    icebergQty: null,
    time: order.time,
    updateTime: order.updateTime,
    isWorking: true,
    origQuoteOrderQty: units(order.quoteOrdered),
  };
}

/** The answer to a new order: that it was taken, and nothing of what became of it. */
export function placedRow({ pair, index }: PairMarket, order: Order): object {
  return {
    symbol: order.symbol,
    orderId: orderIdText(order, index),
    orderListId: -1,
    price: plain(order.tick, pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
    transactTime: order.time,
  };
}

/** The answer to a cancellation. @param cancelId client id of the request, empty when it has none */
export function cancelledRow({ pair, index }: PairMarket, order: Order, cancelId: string): object {
  return {
    symbol: order.symbol,
    origClientOrderId: clientIdText(order),
    orderId: orderIdText(order, index),
    clientOrderId: cancelId,
    price: plain(order.tick, pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    executedQty: plain(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: plain(order.turnover, notionalDecimals(pair)),
    status: orderStatusName(order),
    timeInForce: order.timeInForce,
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
  };
}

/** A row of GET /api/v3/myTrades. @param selfTrade whether the account stood on both sides */
export function accountTradeRow(
  { pair, index }: PairMarket,
  desk: Desk,
  trade: AccountTrade,
  selfTrade: boolean,
): object {
  const order = desk.order(trade.symbol, trade.orderId);
  return {
    symbol: trade.symbol,
    id: tradeIdText(trade, index),
    orderId: orderIdText({ id: trade.orderId }, index),
    orderListId: -1,
    price: plain(trade.tick, pair.priceDecimals),
    qty: plain(trade.steps, pair.quantityDecimals),
    quoteQty: plain(BigInt(trade.tick) * BigInt(trade.steps), notionalDecimals(pair)),
    commission: units(trade.commission),
    commissionAsset: trade.commissionAsset,
    time: trade.time,
    isBuyer: trade.side === 'buy',
    isMaker: trade.maker,
    isBestMatch: true,
    isSelfTrade: selfTrade,
    clientOrderId: order ? clientIdText(order) : '',
  };
}

/** The answer of GET /api/v3/account. */
export function accountRow(desk: Desk): object {
  return {
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    updateTime: null,
    accountType: 'SPOT',
    balances: [...desk.balances]
      .filter(([, { free, locked }]) => free + locked > 0n)
      .map(([asset, { free, locked }]) => ({
        asset,
        free: units(free),
        locked: units(locked),
        available: units(free),
      })),
    permissions: ['SPOT'],
  };
}
