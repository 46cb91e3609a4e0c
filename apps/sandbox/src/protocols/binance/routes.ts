import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { apiRestrictions } from './apiRestrictions.ts';
import { binanceError } from './errors.ts';
import { exchangeInfo, STATUSES } from './exchangeInfo.ts';
import { executionRules, referenceCalculation, referencePrice } from './executionRuleRows.ts';
import { decimal, units } from './format.ts';
import {
  aggregateRow,
  aggregatesFrom,
  averagePrice,
  bookTickerRow,
  depth,
  klines,
  tickerRow,
  tradeRow,
  tradesFrom,
} from './marketData.ts';
import { accountRow, accountTradeRow, amendmentRow, commissionRow, orderRow } from './orderRows.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rateLimits.ts';
import { amendOrder, cancelAll, cancelOrder, cancelReplace, findOrder, placeOrder, testOrder } from './trading.ts';

const DAY_MS = 86_400_000;

/** What the protocol knows beside the exchange. */
export type RouteContext = {
  /** what the exchange's clock shows, epoch milliseconds; a script may have set it wrong */
  serverTime: number;
  limits: RateLimits;
};

/** One thing the exchange can be asked, over REST and, where `wsMethod` is named, over the WebSocket API. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  wsMethod?: string;
  /** signed requests carry key, timestamp and signature */
  signed: boolean;
  /** counts as an order */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  /** what weighs nothing when it is done, and is charged only when it fails */
  freeWhenDone?: true;
  parameters: readonly string[];
  /** @param now market time, epoch milliseconds */
  handle(exchange: SpotExchange, parameters: Parameters, now: number, at: RouteContext): unknown;
};

const ORDER = [
  'symbol',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'quoteOrderQty',
  'price',
  'newClientOrderId',
  'stopPrice',
  'trailingDelta',
  'icebergQty',
  'newOrderRespType',
  'selfTradePreventionMode',
];
const CANCEL = ['symbol', 'orderId', 'origClientOrderId', 'newClientOrderId', 'cancelRestrictions'];

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v3/ping',
    wsMethod: 'ping',
    signed: false,
    weight: 1,
    parameters: [],
    handle: () => ({}),
  },
  {
    method: 'GET',
    path: '/api/v3/time',
    wsMethod: 'time',
    signed: false,
    weight: 1,
    parameters: [],
    handle: (_exchange, _parameters, _now, { serverTime }) => ({ serverTime }),
  },
  {
    method: 'GET',
    path: '/api/v3/exchangeInfo',
    wsMethod: 'exchangeInfo',
    signed: false,
    weight: 20,
    parameters: ['symbol', 'symbols', 'permissions', 'showPermissionSets', 'symbolStatus'],
    handle(exchange, parameters, _now, { serverTime }) {
      const status = parameters.word('symbolStatus', Object.values(STATUSES), () =>
        binanceError.invalid('symbolStatus'),
      );
      const chosen = chosenMarkets(exchange, parameters);
      if (status === undefined) return exchangeInfo(exchange, chosen, serverTime);
      const filtered = (chosen ?? exchange.markets).filter((market) => STATUSES[market.status] === status);
      return exchangeInfo(exchange, filtered, serverTime);
    },
  },
  {
    method: 'GET',
    path: '/api/v3/executionRules',
    wsMethod: 'executionRules',
    signed: false,
    weight: (parameters) => (parameters.has('symbol') ? 2 : Math.min(40, 2 * (parameters.symbols()?.length ?? 20))),
    parameters: ['symbol', 'symbols', 'symbolStatus'],
    handle(exchange, parameters) {
      if (parameters.has('symbolStatus') && (parameters.has('symbol') || parameters.has('symbols'))) {
        throw binanceError.combination();
      }
      const status = parameters.word('symbolStatus', Object.values(STATUSES), () =>
        binanceError.invalid('symbolStatus'),
      );
      const chosen = chosenMarkets(exchange, parameters) ?? exchange.markets;
      return executionRules(status === undefined ? chosen : chosen.filter((one) => STATUSES[one.status] === status));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/referencePrice',
    wsMethod: 'referencePrice',
    signed: false,
    weight: 2,
    parameters: ['symbol'],
    handle: (exchange, parameters) => referencePrice(oneMarket(exchange, parameters), exchange.time),
  },
  {
    method: 'GET',
    path: '/api/v3/referencePrice/calculation',
    wsMethod: 'referencePrice.calculation',
    signed: false,
    weight: 2,
    parameters: ['symbol', 'symbolStatus'],
    handle: (exchange, parameters) => referenceCalculation(oneMarket(exchange, parameters)),
  },
  {
    method: 'GET',
    path: '/api/v3/depth',
    wsMethod: 'depth',
    signed: false,
    weight: (parameters) => depthWeight(parameters.limit(100, 5000)),
    parameters: ['symbol', 'limit'],
    handle: (exchange, parameters) => depth(oneMarket(exchange, parameters), parameters.limit(100, 5000)),
  },
  {
    method: 'GET',
    path: '/api/v3/trades',
    wsMethod: 'trades.recent',
    signed: false,
    weight: 25,
    parameters: ['symbol', 'limit'],
    handle(exchange, parameters) {
      const market = oneMarket(exchange, parameters);
      return market.recent.slice(-parameters.limit(500, 1000)).map((trade) => tradeRow(market.pair, trade));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/historicalTrades',
    wsMethod: 'trades.historical',
    signed: false,
    weight: 25,
    parameters: ['symbol', 'limit', 'fromId'],
    handle(exchange, parameters) {
      const market = oneMarket(exchange, parameters);
      const limit = parameters.limit(500, 1000);
      const trades = tradesFrom(market.recent, parameters.integer('fromId'), limit);
      return trades.map((trade) => tradeRow(market.pair, trade));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/aggTrades',
    wsMethod: 'trades.aggregate',
    signed: false,
    weight: 4,
    parameters: ['symbol', 'fromId', 'startTime', 'endTime', 'limit'],
    handle(exchange, parameters) {
      const market = oneMarket(exchange, parameters);
      const limit = parameters.limit(500, 1000);
      const rows = aggregatesFrom(market.recent, parameters.integer('fromId'), span(parameters, false), limit);
      return rows.map((row) => aggregateRow(market.pair, row));
    },
  },
  ...(['klines', 'uiKlines'] as const).map(
    (name): Route => ({
      method: 'GET',
      path: `/api/v3/${name}`,
      wsMethod: name,
      signed: false,
      weight: 2,
      parameters: ['symbol', 'interval', 'startTime', 'endTime', 'limit'],
      handle(exchange, parameters) {
        const market = oneMarket(exchange, parameters);
        const interval = INTERVALS.get(parameters.mandatory('interval'));
        if (!interval) throw binanceError.interval();
        const { start, end } = span(parameters, false);
        return klines(market, interval, start, end, parameters.limit(500, 1000));
      },
    }),
  ),
  {
    method: 'GET',
    path: '/api/v3/avgPrice',
    wsMethod: 'avgPrice',
    signed: false,
    weight: 2,
    parameters: ['symbol'],
    handle: (exchange, parameters) => averagePrice(oneMarket(exchange, parameters)),
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/24hr',
    wsMethod: 'ticker.24hr',
    signed: false,
    weight: (parameters) => (parameters.has('symbol') ? 2 : parameters.has('symbols') ? 2 : 80),
    parameters: ['symbol', 'symbols', 'type'],
    handle(exchange, parameters, now) {
      const type = parameters.word('type', ['FULL', 'MINI'], () => binanceError.invalid('type'));
      return perMarket(exchange, parameters, (market) => tickerRow(dayStatistics(market, now), type === 'MINI'));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/price',
    wsMethod: 'ticker.price',
    signed: false,
    weight: (parameters) => (parameters.has('symbol') ? 2 : 4),
    parameters: ['symbol', 'symbols'],
    handle: (exchange, parameters) =>
      perMarket(exchange, parameters, ({ pair, lastTick }) => ({
        symbol: pair.symbol,
        price: decimal(lastTick, pair.priceDecimals),
      })),
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/bookTicker',
    wsMethod: 'ticker.book',
    signed: false,
    weight: (parameters) => (parameters.has('symbol') ? 2 : 4),
    parameters: ['symbol', 'symbols'],
    handle: (exchange, parameters) => perMarket(exchange, parameters, bookTickerRow),
  },
  {
    method: 'GET',
    path: '/api/v3/account',
    wsMethod: 'account.status',
    signed: true,
    weight: 20,
    parameters: ['omitZeroBalances'],
    handle(exchange, parameters) {
      const omit = parameters.word('omitZeroBalances', ['true', 'false'], () =>
        binanceError.invalid('omitZeroBalances'),
      );
      return accountRow(exchange.account, omit === 'true');
    },
  },
  {
    method: 'GET',
    path: '/api/v3/account/commission',
    wsMethod: 'account.commission',
    signed: true,
    weight: 20,
    parameters: ['symbol'],
    handle: (exchange, parameters) => ({
      symbol: oneMarket(exchange, parameters).pair.symbol,
      ...commissionRow(false),
    }),
  },
  {
    method: 'POST',
    path: '/api/v3/order',
    freeWhenDone: true,
    wsMethod: 'order.place',
    signed: true,
    isOrder: true,
    weight: 1,
    parameters: ORDER,
    handle: (exchange, parameters, now) => placeOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'POST',
    path: '/api/v3/order/test',
    wsMethod: 'order.test',
    signed: true,
    weight: (parameters) => (parameters.has('computeCommissionRates') ? 20 : 1),
    parameters: [...ORDER, 'computeCommissionRates'],
    handle: (exchange, parameters, now) => testOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'GET',
    path: '/api/v3/order',
    wsMethod: 'order.status',
    signed: true,
    weight: 4,
    parameters: ['symbol', 'orderId', 'origClientOrderId'],
    handle(exchange, parameters) {
      const { pair } = oneMarket(exchange, parameters);
      const order = findOrder(parameters, pair.symbol)(exchange.account);
      const id = parameters.integer('orderId');
      if (!order)
        throw id !== undefined && exchange.account.order(pair.symbol, id)
          ? binanceError.wrongClientId()
          : binanceError.noSuchOrder();
      return orderRow(pair, order);
    },
  },
  {
    method: 'DELETE',
    path: '/api/v3/order',
    freeWhenDone: true,
    wsMethod: 'order.cancel',
    signed: true,
    weight: 1,
    parameters: CANCEL,
    handle: (exchange, parameters, now) => cancelOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    freeWhenDone: true,
    wsMethod: 'order.cancelReplace',
    signed: true,
    isOrder: true,
    weight: 1,
    parameters: [
      ...ORDER,
      'cancelReplaceMode',
      'cancelNewClientOrderId',
      'cancelOrigClientOrderId',
      'cancelOrderId',
      'cancelRestrictions',
    ],
    handle: (exchange, parameters, now) => cancelReplace(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'PUT',
    path: '/api/v3/order/amend/keepPriority',
    wsMethod: 'order.amend.keepPriority',
    signed: true,
    weight: 4,
    parameters: ['symbol', 'orderId', 'origClientOrderId', 'newClientOrderId', 'newQty'],
    handle: (exchange, parameters, now) => amendOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'GET',
    path: '/api/v3/openOrders',
    wsMethod: 'openOrders.status',
    signed: true,
    weight: (parameters) => (parameters.has('symbol') ? 6 : 80),
    parameters: ['symbol'],
    handle(exchange, parameters) {
      const only = parameters.has('symbol') ? oneMarket(exchange, parameters) : undefined;
      return exchange.account.openOrders(only?.pair.symbol).map((order) => {
        const market = exchange.market(order.symbol) as PairMarket;
        return orderRow(market.pair, order);
      });
    },
  },
  {
    method: 'DELETE',
    path: '/api/v3/openOrders',
    freeWhenDone: true,
    wsMethod: 'openOrders.cancelAll',
    signed: true,
    weight: 1,
    parameters: ['symbol'],
    handle: (exchange, parameters, now) => cancelAll(exchange, oneMarket(exchange, parameters), now),
  },
  {
    method: 'GET',
    path: '/api/v3/order/amendments',
    wsMethod: 'order.amendments',
    signed: true,
    weight: 4,
    parameters: ['symbol', 'orderId', 'fromExecutionId', 'limit'],
    handle(exchange, parameters) {
      const { pair } = oneMarket(exchange, parameters);
      parameters.mandatory('orderId');
      const order = exchange.account.order(pair.symbol, parameters.integer('orderId') as number);
      if (!order) throw binanceError.noSuchOrder();
      const from = parameters.integer('fromExecutionId') ?? 0;
      return order.amendments
        .filter(({ time }) => time >= from)
        .slice(0, parameters.limit(500, 1000))
        .map((amendment) => amendmentRow(pair, order, amendment));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/rateLimit/order',
    wsMethod: 'account.rateLimits.orders',
    signed: true,
    weight: 40,
    parameters: [],
    handle: (_exchange, _parameters, now, { limits }) => limits.orderReport(now),
  },
  // there are no order lists, and nothing is allocated
  ...(
    [
      ['openOrderList', 'openOrderLists.status', []],
      ['allOrderList', 'allOrderLists', ['fromId', 'startTime', 'endTime', 'limit']],
      ['myAllocations', 'myAllocations', ['symbol', 'startTime', 'endTime', 'fromAllocationId', 'limit', 'orderId']],
    ] as const
  ).map(
    ([name, wsMethod, parameters]): Route => ({
      method: 'GET',
      path: `/api/v3/${name}`,
      wsMethod,
      signed: true,
      weight: 20,
      parameters,
      handle: () => [],
    }),
  ),
  {
    method: 'GET',
    path: '/api/v3/allOrders',
    wsMethod: 'allOrders',
    signed: true,
    weight: 20,
    parameters: ['symbol', 'orderId', 'startTime', 'endTime', 'limit'],
    handle(exchange, parameters) {
      const { pair } = oneMarket(exchange, parameters);
      const from = parameters.integer('orderId');
      const { start, end } = span(parameters, true);
      const limit = parameters.limit(500, 1000);
      const rows = (exchange.account.orders.get(pair.symbol) ?? []).filter(
        (order) =>
          (from === undefined || order.id >= from) &&
          (start === undefined || order.time >= start) &&
          (end === undefined || order.time <= end),
      );
      const bounded = from !== undefined || start !== undefined;
      return (bounded ? rows.slice(0, limit) : rows.slice(-limit)).map((order) => orderRow(pair, order));
    },
  },
  {
    method: 'GET',
    path: '/api/v3/myTrades',
    wsMethod: 'myTrades',
    signed: true,
    weight: (parameters) => (parameters.has('orderId') ? 5 : 20),
    parameters: ['symbol', 'orderId', 'startTime', 'endTime', 'fromId', 'limit'],
    handle(exchange, parameters) {
      const { pair } = oneMarket(exchange, parameters);
      const order = parameters.integer('orderId');
      const from = parameters.integer('fromId');
      if (from !== undefined && (parameters.has('startTime') || parameters.has('endTime')))
        throw binanceError.combination();
      const { start, end } = span(parameters, true);
      const limit = parameters.limit(500, 1000);
      const rows = (exchange.account.trades.get(pair.symbol) ?? []).filter(
        (trade) =>
          (order === undefined || trade.orderId === order) &&
          (from === undefined || trade.id >= from) &&
          (start === undefined || trade.time >= start) &&
          (end === undefined || trade.time <= end),
      );
      const bounded = from !== undefined || start !== undefined;
      return (bounded ? rows.slice(0, limit) : rows.slice(-limit)).map((trade) => accountTradeRow(pair, trade));
    },
  },
  // Retired on 2026-02-20: the account's events come by the WebSocket API.
  ...(
    [
      ['POST', 'userDataStream.start'],
      ['PUT', 'userDataStream.ping'],
      ['DELETE', 'userDataStream.stop'],
    ] as const
  ).map(
    ([method, wsMethod]): Route => ({
      method,
      path: '/api/v3/userDataStream',
      wsMethod,
      signed: false,
      weight: 2,
      parameters: ['listenKey'],
      handle() {
        throw binanceError.retired();
      },
    }),
  ),
  {
    method: 'GET',
    path: '/sapi/v1/account/apiRestrictions',
    signed: true,
    weight: 1,
    parameters: [],
    handle: () => apiRestrictions('spot'),
  },
  {
    method: 'GET',
    path: '/sapi/v1/capital/config/getall',
    signed: true,
    weight: 10,
    parameters: [],
    handle: ({ account }) =>
      [...account.balances].map(([coin, { free, locked }]) => ({
        coin,
        name: coin,
        free: units(free),
        locked: units(locked),
        freeze: '0',
        withdrawing: '0',
        ipoing: '0',
        ipoable: '0',
        storage: '0',
        isLegalMoney: false,
        trading: true,
        depositAllEnable: false,
        withdrawAllEnable: false,
        networkList: [],
      })),
  },
  // spot only: no pair can be traded on margin
  ...['/sapi/v1/margin/allPairs', '/sapi/v1/margin/isolated/allPairs'].map(
    (path): Route => ({ method: 'GET', path, signed: true, weight: 1, parameters: [], handle: () => [] }),
  ),
  {
    method: 'GET',
    path: '/sapi/v1/asset/tradeFee',
    signed: true,
    weight: 1,
    parameters: ['symbol'],
    handle: (exchange, parameters) =>
      (parameters.has('symbol') ? [oneMarket(exchange, parameters)] : exchange.markets).map(({ pair }) => ({
        symbol: pair.symbol,
        makerCommission: '0.001',
        takerCommission: '0.001',
      })),
  },
];

/** The market that `symbol` names. */
function oneMarket(exchange: SpotExchange, parameters: Parameters): PairMarket {
  parameters.mandatory('symbol');
  const market = exchange.market(parameters.symbol() as string);
  if (!market) throw binanceError.symbol();
  return market;
}

/** The markets that `symbol` or `symbols` name; undefined when neither was sent. */
function chosenMarkets(exchange: SpotExchange, parameters: Parameters): PairMarket[] | undefined {
  const symbols = parameters.symbols();
  if (parameters.has('symbol')) {
    if (symbols) throw binanceError.combination();
    return [oneMarket(exchange, parameters)];
  }
  return symbols?.map((symbol) => {
    const market = exchange.market(symbol);
    if (!market) throw binanceError.symbol();
    return market;
  });
}

/** A row for the one symbol asked for, or a list of rows. */
function perMarket(exchange: SpotExchange, parameters: Parameters, row: (market: PairMarket) => object): unknown {
  const rows = (chosenMarkets(exchange, parameters) ?? exchange.markets).map(row);
  return parameters.has('symbol') ? rows[0] : rows;
}

function span(parameters: Parameters, withinDay: boolean): { start: number | undefined; end: number | undefined } {
  const start = parameters.integer('startTime');
  const end = parameters.integer('endTime');
  if (withinDay && start !== undefined && end !== undefined && end - start > DAY_MS) throw binanceError.longerThanDay();
  return { start, end };
}

function depthWeight(limit: number): number {
  if (limit <= 100) return 5;
  if (limit <= 500) return 25;
  return limit <= 1000 ? 50 : 250;
}
