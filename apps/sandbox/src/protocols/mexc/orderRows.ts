import type { SpotAccount } from '../../accounts/spot/spotAccount.ts';
import type { AccountTrade, SpotOrder } from '../../accounts/spot/spotOrders.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import { plain, units } from './format.ts';
import { clientIdText, orderIdText, orderStatusName, orderTypeName, tradeIdText } from './orderNames.ts';

/** MEXC shows a market order with a limit this far from the market, in parts of 100. */
const MARKET_ALLOWANCE = 5n;

/**
 * Returns the price of an order in ticks, as MEXC shows it. MEXC shows the internal limit of a market order, which is
 * derived from its fills here.
 */
export function shownTick(order: SpotOrder): bigint {
  if (order.type !== 'MARKET') return BigInt(order.tick);
  if (order.filled === 0) return 0n;
  const parts = order.side === 'buy' ? 100n + MARKET_ALLOWANCE : 100n - MARKET_ALLOWANCE;
  return (order.turnover * parts) / (BigInt(order.filled) * 100n);
}

/** Returns the value of an order as it was sent, or the value of its quantity at the shown price. */
export function orderedValue(pair: Pair, order: SpotOrder): string {
  if (order.quoteOrdered > 0n) return units(order.quoteOrdered);
  return plain(shownTick(order) * BigInt(order.steps), notionalDecimals(pair));
}

/** Returns an order for queries. */
export function orderRow({ pair, index }: PairMarket, order: SpotOrder): object {
  return {
    symbol: order.symbol,
    orderId: orderIdText(order, index),
    orderListId: -1,
    clientOrderId: clientIdText(order),
    price: plain(shownTick(order), pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    executedQty: plain(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: plain(order.turnover, notionalDecimals(pair)),
    status: orderStatusName(order),
    timeInForce: null,
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
    stopPrice: null,
    icebergQty: null,
    time: order.time,
    updateTime: order.updateTime,
    isWorking: true,
    origQuoteOrderQty: orderedValue(pair, order),
  };
}

/** Returns the response to a new order: it was accepted. The response has no fills. */
export function placedRow({ pair, index }: PairMarket, order: SpotOrder): object {
  return {
    symbol: order.symbol,
    orderId: orderIdText(order, index),
    orderListId: -1,
    price: plain(shownTick(order), pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
    transactTime: order.time,
  };
}

/** Returns the response to a cancellation. @param cancelId client id of the request, empty when it has none */
export function cancelledRow({ pair, index }: PairMarket, order: SpotOrder, cancelId: string): object {
  return {
    symbol: order.symbol,
    origClientOrderId: clientIdText(order),
    orderId: orderIdText(order, index),
    clientOrderId: cancelId === '' ? null : cancelId,
    price: plain(shownTick(order), pair.priceDecimals),
    origQty: plain(order.steps, pair.quantityDecimals),
    executedQty: plain(order.filled, pair.quantityDecimals),
    cummulativeQuoteQty: plain(order.turnover, notionalDecimals(pair)),
    status: orderStatusName(order),
    timeInForce: null,
    type: orderTypeName(order),
    side: order.side.toUpperCase(),
  };
}

/** Returns a row of GET /api/v3/myTrades. @param selfTrade whether the account is on both sides */
export function accountTradeRow(
  { pair, index }: PairMarket,
  account: SpotAccount,
  trade: AccountTrade,
  selfTrade: boolean,
): object {
  const order = account.order(trade.symbol, trade.orderId);
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
    clientOrderId: order ? clientIdText(order) : null,
  };
}

/** Returns the response of GET /api/v3/account. */
export function accountRow(account: SpotAccount): object {
  return {
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    updateTime: null,
    accountType: 'SPOT',
    balances: [...account.balances]
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
