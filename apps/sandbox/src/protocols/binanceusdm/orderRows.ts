import type { Contract } from '../../accounts/futures/contracts.ts';
import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { AlgoOrder, FuturesOrder, FuturesTrade } from '../../accounts/futures/futuresOrders.ts';
import { notionalDecimals } from '../../market/pairs.ts';
import { markPrice, money, plain } from './format.ts';

/** Returns an order for queries. */
export function orderRow(account: FuturesAccount, order: FuturesOrder): { [name: string]: unknown } {
  const contract = account.contracts.get(order.symbol) as Contract;
  const algo = account.algo(order.algoId);
  return {
    orderId: order.id,
    symbol: order.symbol,
    status: order.status,
    clientOrderId: order.clientId,
    price: plain(order.tick, contract.priceDecimals),
    avgPrice: averagePrice(contract, order.turnover, order.filled),
    origQty: plain(order.steps, contract.quantityDecimals),
    executedQty: plain(order.filled, contract.quantityDecimals),
    cumQuote: plain(order.turnover, notionalDecimals(contract)),
    timeInForce: order.timeInForce,
    type: order.type,
    reduceOnly: order.reduceOnly,
    closePosition: algo?.closePosition ?? false,
    side: order.side.toUpperCase(),
    positionSide: order.positionSide,
    stopPrice: markPrice(algo?.triggerPrice ?? 0),
    workingType: algo?.workingType ?? 'CONTRACT_PRICE',
    priceProtect: algo?.priceProtect ?? false,
    origType: algo?.type ?? order.type,
    priceMatch: 'NONE',
    selfTradePreventionMode: order.selfTrade,
    goodTillDate: order.goodTill,
    time: order.time,
    updateTime: order.updateTime,
  };
}

/**
 * Returns the response to an order that was placed, changed or cancelled. @param known false for an ACK, which shows no
 * fills
 */
export function acknowledgedRow(account: FuturesAccount, order: FuturesOrder, known: boolean): object {
  // Binance removed average price and value from these responses on 2026-07-15.
  const {
    time: _time,
    avgPrice: _avgPrice,
    cumQuote: _cumQuote,
    ...row
  } = orderRow(account, known ? order : { ...order, status: 'NEW', filled: 0, turnover: 0n });
  return { ...row, cumQty: row.executedQty };
}

/**
 * Returns the average price of fills, with two decimals more than the tick, rounded to the nearest; 0 when there are
 * none.
 */
export function averagePrice(contract: Contract, turnover: bigint, steps: number): string {
  const decimals = contract.priceDecimals + 2;
  if (steps === 0) return plain(0, decimals);
  const count = BigInt(steps);
  return plain((turnover * 100n + count / 2n) / count, decimals);
}

/** Returns the fields of a conditional order that every response has. */
function algoTerms(account: FuturesAccount, algo: AlgoOrder): { [name: string]: unknown } {
  const contract = account.contracts.get(algo.symbol) as Contract;
  return {
    algoId: algo.id,
    clientAlgoId: algo.clientId,
    algoType: 'CONDITIONAL',
    orderType: algo.type,
    symbol: algo.symbol,
    side: algo.side.toUpperCase(),
    positionSide: algo.positionSide,
    timeInForce: algo.timeInForce,
    quantity: plain(algo.steps, contract.quantityDecimals),
    algoStatus: algo.status,
    triggerPrice: markPrice(algo.triggerPrice),
    price: plain(algo.tick, contract.priceDecimals),
    icebergQuantity: null,
    selfTradePreventionMode: algo.selfTrade,
    workingType: algo.workingType,
    priceMatch: 'NONE',
    closePosition: algo.closePosition,
    priceProtect: algo.priceProtect,
    reduceOnly: algo.reduceOnly,
    createTime: algo.time,
    updateTime: algo.updateTime,
    triggerTime: algo.triggerTime,
    goodTillDate: algo.goodTill,
  };
}

/** Returns the fields of a trailing stop; empty texts for the other types. */
function trailing(algo: AlgoOrder): { activatePrice: string; callbackRate: string } {
  if (algo.type !== 'TRAILING_STOP_MARKET') return { activatePrice: '', callbackRate: '' };
  return { activatePrice: markPrice(algo.activatePrice), callbackRate: plain(algo.callbackRate, 2) };
}

/** Returns the fields of the triggered order that every query has. */
function triggeredOrder(account: FuturesAccount, algo: AlgoOrder): { actualOrderId: string; actualPrice: string } {
  const contract = account.contracts.get(algo.symbol) as Contract;
  const order = account.order(algo.symbol, algo.orderId);
  return {
    actualOrderId: order ? String(order.id) : '',
    actualPrice: order ? averagePrice(contract, order.turnover, order.filled) : '0.00000',
  };
}

/** Returns the response to a new conditional order. */
export function placedAlgoRow(account: FuturesAccount, algo: AlgoOrder): { [name: string]: unknown } {
  return { ...algoTerms(account, algo), ...trailing(algo) };
}

/** Returns a conditional order for queries. */
export function algoRow(account: FuturesAccount, algo: AlgoOrder): { [name: string]: unknown } {
  const contract = account.contracts.get(algo.symbol) as Contract;
  const order = account.order(algo.symbol, algo.orderId);
  return {
    ...algoTerms(account, algo),
    ...triggeredOrder(account, algo),
    actualQty: order ? plain(order.filled, contract.quantityDecimals) : '0.00000',
    actualType: order ? order.type : '',
    tpOrderType: '',
    ...(algo.type === 'TRAILING_STOP_MARKET' && trailing(algo)),
  };
}

/** Returns a row of GET /fapi/v1/openAlgoOrders. */
export function openAlgoRow(account: FuturesAccount, algo: AlgoOrder): { [name: string]: unknown } {
  return {
    ...algoTerms(account, algo),
    ...triggeredOrder(account, algo),
    ...{ tpTriggerPrice: '0.000', tpPrice: '0.000', slTriggerPrice: '0.000', slPrice: '0.000', tpOrderType: '' },
    ...(algo.type === 'TRAILING_STOP_MARKET' && trailing(algo)),
  };
}

/** Returns a row of GET /fapi/v1/userTrades. */
export function userTradeRow(contract: Contract, trade: FuturesTrade): object {
  return {
    symbol: trade.symbol,
    id: trade.id,
    orderId: trade.orderId,
    side: trade.side.toUpperCase(),
    price: plain(trade.tick, contract.priceDecimals),
    qty: plain(trade.steps, contract.quantityDecimals),
    realizedPnl: money(trade.realised),
    quoteQty: plain(BigInt(trade.tick) * BigInt(trade.steps), notionalDecimals(contract)),
    commission: money(trade.commission),
    commissionAsset: 'USDT',
    time: trade.time,
    positionSide: trade.positionSide,
    maker: trade.maker,
    buyer: trade.side === 'buy',
  };
}
