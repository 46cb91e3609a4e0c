import { randomBytes } from 'node:crypto';
import { stepUnit } from '../../accounts/money.ts';
import type { SpotAccount } from '../../accounts/spot/spotAccount.ts';
import type { SpotOrder } from '../../accounts/spot/spotOrders.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals } from '../../market/pairs.ts';
import { OrderRejected, type OrderRequest } from '../../venues/spot/orderRequest.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { MexcError, mexcError } from './errors.ts';
import { ASK_DOWN, BID_UP } from './exchangeInfo.ts';
import { ORDER_TYPES, type OrderTypeName, orderIdText, readOrderId, unnamed } from './orderNames.ts';
import { cancelledRow, placedRow } from './orderRows.ts';
import { Parameters } from './parameters.ts';

const MAX_OPEN_ORDERS = 500;
const MAX_BATCH = 20;
const MAX_SYMBOLS = 5;

/** MEXC's order types as types of the account. */
const TYPES: { [name in OrderTypeName]: Pick<OrderRequest, 'type' | 'timeInForce'> } = {
  LIMIT: { type: 'LIMIT', timeInForce: 'GTC' },
  MARKET: { type: 'MARKET', timeInForce: 'GTC' },
  LIMIT_MAKER: { type: 'LIMIT_MAKER', timeInForce: 'GTC' },
  IMMEDIATE_OR_CANCEL: { type: 'LIMIT', timeInForce: 'IOC' },
  FILL_OR_KILL: { type: 'LIMIT', timeInForce: 'FOK' },
};

/** Returns the market of an order endpoint. */
export function orderMarket(exchange: SpotExchange, parameters: Parameters): PairMarket {
  return knownMarket(exchange, parameters.mandatory('symbol'));
}

/** Returns up to five markets, separated by commas; undefined when none is named. */
export function orderMarkets(exchange: SpotExchange, parameters: Parameters): PairMarket[] | undefined {
  const names = parameters.text('symbol')?.split(',');
  if (names && names.length > MAX_SYMBOLS) throw mexcError.parameter();
  return names?.map((name) => knownMarket(exchange, name));
}

function knownMarket(exchange: SpotExchange, symbol: string): PairMarket {
  const market = exchange.market(symbol);
  if (!market) throw mexcError.symbol();
  return market;
}

/** Reads and checks the parameters of a new order. */
function readOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters): OrderRequest {
  const { pair } = market;
  if (market.status === 'halted' || market.status === 'cancel-only') throw mexcError.suspended();
  if (market.status === 'delisted') throw mexcError.disabled();
  const side = parameters.word('side', ['BUY', 'SELL']) === 'BUY' ? 'buy' : 'sell';
  const typeText = parameters.mandatory('type');
  // Batches have another name for limit orders.
  const name = typeText === 'LIMIT_ORDER' ? 'LIMIT' : ORDER_TYPES.find((type) => type === typeText);
  if (name === undefined) throw mexcError.orderType();
  const clientId = parameters.clientId('newClientOrderId') ?? unnamed(randomBytes(16).toString('base64url'));
  const request: OrderRequest = {
    clientId,
    side,
    ...TYPES[name],
    tick: 0,
    steps: 0,
    quoteOrdered: 0n,
    selfTrade: 'NONE',
    onCross: 'expire',
  };
  if (name === 'MARKET') {
    const value = side === 'buy' ? parameters.units('quoteOrderQty') : undefined;
    if (value === undefined) {
      const steps = readSteps(market, parameters);
      checkValue(market, market.lastTick * steps);
      return { ...request, steps };
    }
    if (value === null) throw mexcError.quantityScale();
    if (value === 0n) throw mexcError.amountNotPositive();
    checkValue(market, Number(value) / 10 ** (8 - notionalDecimals(pair)));
    return { ...request, quoteOrdered: value };
  }
  const steps = readSteps(market, parameters);
  const tick = readTick(market, side, parameters);
  checkValue(market, tick * steps);
  if (exchange.account.openOrders().length >= MAX_OPEN_ORDERS) throw mexcError.tooManyOrders();
  return { ...request, tick, steps };
}

function readSteps({ pair }: PairMarket, parameters: Parameters): number {
  const units = parameters.units('quantity');
  if (units === undefined) throw mexcError.amountMissing();
  if (units === 0n) throw mexcError.amountNotPositive();
  const step = stepUnit(pair);
  if (units === null || units % step !== 0n) throw mexcError.quantityScale();
  const steps = units / step;
  if (steps > BigInt(pair.maxSteps)) throw mexcError.maximum(`${pair.maxNotional}${pair.quote}`);
  return Number(steps);
}

function readTick({ pair, lastTick }: PairMarket, side: 'buy' | 'sell', parameters: Parameters): number {
  const units = parameters.units('price');
  if (units === undefined || units === 0n) throw mexcError.noPrice();
  const tickUnit = 10n ** BigInt(8 - pair.priceDecimals);
  if (units === null || units % tickUnit !== 0n) throw mexcError.priceScale();
  const tick = Number(units / tickUnit);
  const harmful = side === 'buy' ? tick > lastTick * BID_UP : tick < lastTick * ASK_DOWN;
  if (harmful || tick > pair.maxTick) throw mexcError.priceRange();
  return tick;
}

/** @param value in tick × step */
function checkValue({ pair }: PairMarket, value: number): void {
  const scale = 10 ** notionalDecimals(pair);
  if (value < pair.minNotional * scale) throw mexcError.minimum(`${pair.minNotional}${pair.quote}`);
  if (value > pair.maxNotional * scale) throw mexcError.maximum(`${pair.maxNotional}${pair.quote}`);
}

/** Places an order. @returns the response of MEXC, which shows no fills */
export function placeOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const request = readOrder(exchange, market, parameters);
  return placedRow(market, translate(request.side, () => exchange.place(market.pair.symbol, request, now)).order);
}

/** Checks an order without placing it. */
export function testOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const request = readOrder(exchange, market, parameters);
  translate(request.side, () => exchange.check(market.pair.symbol, request, now));
  return {};
}

/** Places up to 20 orders of one symbol, independently of each other. */
export function placeBatch(exchange: SpotExchange, parameters: Parameters, now: number): object[] {
  const orders = readBatch(parameters.mandatory('batchOrders'));
  const markets = orders.map((order) => orderMarket(exchange, order));
  if (new Set(markets).size > 1) throw mexcError.parameter();
  return orders.map((order, i) => {
    const market = markets[i] as PairMarket;
    const clientId = order.text('newClientOrderId');
    try {
      const { symbol, orderId, orderListId } = placeOrder(exchange, market, order, now) as {
        [name: string]: unknown;
      };
      return { symbol, orderId, ...(clientId !== undefined && { newClientOrderId: clientId }), orderListId };
    } catch (error) {
      if (!(error instanceof MexcError)) throw error;
      return { newClientOrderId: clientId ?? null, ...error.body };
    }
  });
}

function readBatch(text: string): Parameters[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw mexcError.parameter();
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_BATCH) throw mexcError.parameter();
  return list.map((order: unknown) => {
    if (typeof order !== 'object' || order === null || Array.isArray(order)) throw mexcError.parameter();
    return Parameters.parse('', JSON.stringify(order));
  });
}

/** Returns a search for the order of a request: by its id, or by its client id. */
export function findOrder(market: PairMarket, parameters: Parameters): (account: SpotAccount) => SpotOrder | undefined {
  const { symbol } = market.pair;
  const id = parameters.text('orderId');
  const clientId = parameters.text('origClientOrderId');
  if (id !== undefined) {
    const number = readOrderId(id, market.index);
    return (account) => (number === undefined ? undefined : account.order(symbol, number));
  }
  if (clientId === undefined) throw mexcError.missingOrder();
  return (account) => account.orderByClientId(symbol, clientId);
}

/** Cancels one order. */
export function cancelOrder(exchange: SpotExchange, parameters: Parameters, now: number): object {
  const market = orderMarket(exchange, parameters);
  const find = findOrder(market, parameters);
  const cancelId = parameters.clientId('newClientOrderId') ?? '';
  const cancelled = translate('buy', () => exchange.cancel(market.pair.symbol, find, cancelId, now));
  return cancelledRow(market, cancelled, cancelId);
}

/** Cancels all open orders of up to five symbols. */
export function cancelAll(exchange: SpotExchange, parameters: Parameters, now: number): object[] {
  parameters.mandatory('symbol');
  const markets = orderMarkets(exchange, parameters) ?? [];
  return markets.flatMap((market) => {
    const { symbol } = market.pair;
    return exchange.account.openOrders(symbol).map(({ id }) => {
      const cancelled = exchange.cancel(symbol, (account) => account.order(symbol, id), '', now);
      return { orderListId: -1, ...cancelledRow(market, cancelled, '') };
    });
  });
}

/** Returns the order id of a query, undefined when it has none. */
export function queriedOrder(market: PairMarket, parameters: Parameters): number | undefined {
  const id = parameters.text('orderId');
  if (id === undefined) return undefined;
  const number = readOrderId(id, market.index);
  if (number === undefined || orderIdText({ id: number }, market.index) !== id) throw mexcError.orderIds();
  return number;
}

/** Translates the rejections of the exchange into MEXC's errors. */
function translate<T>(side: 'buy' | 'sell', action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof OrderRejected)) throw error;
    switch (error.reason) {
      case 'insufficient-balance':
        throw side === 'buy' ? mexcError.position() : mexcError.oversold();
      case 'duplicate-client-id':
        throw mexcError.repeated();
      case 'no-liquidity':
      case 'would-match':
        throw mexcError.noOpponent();
      case 'unknown-order':
        throw mexcError.cancel();
      case 'market-closed':
        throw mexcError.suspended();
      default:
        // Only stop orders and amendments of Binance have these reasons.
        throw mexcError.parameter();
    }
  }
}
