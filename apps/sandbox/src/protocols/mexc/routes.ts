import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import { averageTick } from '../../market/averageTick.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import type { Keys } from './authentication.ts';
import { mexcError } from './errors.ts';
import { exchangeInfo, MAKER_RATE, TAKER_RATE, tradableSymbols } from './exchangeInfo.ts';
import { plain, units } from './format.ts';
import { REST_INTERVALS } from './intervals.ts';
import type { ListenKeys } from './listenKeys.ts';
import { aggregateRows, bookTickerRow, depth, klines, tickerRow, tradeRow } from './marketData.ts';
import { accountRow, accountTradeRow, orderRow } from './orderRows.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rateLimits.ts';
import {
  cancelAll,
  cancelOrder,
  findOrder,
  orderMarket,
  orderMarkets,
  placeBatch,
  placeOrder,
  queriedOrder,
  testOrder,
} from './trading.ts';

const DAY_MS = 86_400_000;
/** Orders and trades of the account are listed for this many days. */
const ORDERS_DAYS = 7;
const TRADES_DAYS = 30;
/** Maximum number of candles in one response. The documents promise more than the exchange returns. */
const MAX_CANDLES = 500;

export type Mexc = {
  exchange: SpotExchange;
  clock: Clock;
  keys: Keys;
  limits: RateLimits;
  listenKeys: ListenKeys;
  script: FaultScript | undefined;
};

/** Returns the time of the exchange's clock, for signatures and server times; a script of faults may offset it. */
export function exchangeTime(script: FaultScript | undefined, now: number): number {
  return now + (script?.skewMs() ?? 0);
}

/** An endpoint over REST. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Signed requests have a key, a timestamp and a signature. */
  signed: boolean;
  weight: number | ((parameters: Parameters) => number);
  handle(mexc: Mexc, parameters: Parameters, now: number): unknown;
};

function open(path: string, weight: Route['weight'], handle: Route['handle']): Route {
  return { method: 'GET', path: `/api/v3/${path}`, signed: false, weight, handle };
}

function signed(method: Route['method'], path: string, weight: number, handle: Route['handle']): Route {
  return { method, path: `/api/v3/${path}`, signed: true, weight, handle };
}

export const ROUTES: readonly Route[] = [
  open('ping', 1, () => ({})),
  open('time', 1, ({ script }, _parameters, now) => ({ serverTime: exchangeTime(script, now) })),
  open('defaultSymbols', 1, ({ exchange }) => tradableSymbols(exchange)),
  open('exchangeInfo', 10, ({ exchange, script }, parameters, now) => {
    const names = (parameters.text('symbols') ?? parameters.text('symbol'))?.split(',');
    const markets = names?.map((name) => dataMarket(exchange, name)) ?? exchange.markets;
    return exchangeInfo(markets, exchangeTime(script, now));
  }),
  open('depth', 1, ({ exchange }, parameters, now) =>
    depth(oneMarket(exchange, parameters), parameters.limit(100, 5000), now),
  ),
  ...['trades', 'historicalTrades'].map((name) =>
    open(name, 5, ({ exchange }, parameters) => {
      const market = oneMarket(exchange, parameters);
      const trades = market.recent.slice(-parameters.limit(500, 1000)).reverse();
      return trades.map((trade) => tradeRow(market.pair, trade));
    }),
  ),
  open('aggTrades', 1, ({ exchange }, parameters) => {
    const market = oneMarket(exchange, parameters);
    const start = parameters.integer('startTime');
    const end = parameters.integer('endTime');
    if ((start === undefined) !== (end === undefined)) throw mexcError.combination();
    const { recent } = market;
    const trades =
      start === undefined || end === undefined
        ? recent.slice(0)
        : recent.slice(recent.firstAtLeast('time', start), recent.firstAtLeast('time', end + 1));
    return aggregateRows(market.pair, trades, parameters.limit(500, 1000));
  }),
  open('klines', 1, ({ exchange }, parameters) => {
    const market = oneMarket(exchange, parameters);
    const interval = REST_INTERVALS.get(parameters.mandatory('interval'));
    if (!interval) throw mexcError.interval();
    const limit = parameters.limit(MAX_CANDLES, MAX_CANDLES);
    return klines(market, interval, parameters.integer('startTime'), parameters.integer('endTime'), limit);
  }),
  open('avgPrice', 1, ({ exchange }, parameters) => {
    const market = oneMarket(exchange, parameters);
    const { priceDecimals } = market.pair;
    return { mins: 5, price: plain(Math.round(averageTick(market) * 10 ** (8 - priceDecimals)), 8) };
  }),
  open(
    'ticker/24hr',
    (parameters) => (parameters.text('symbol') === undefined ? 40 : 1),
    ({ exchange }, parameters, now) =>
      perMarket(exchange, parameters, (market) => tickerRow(dayStatistics(market, now))),
  ),
  open(
    'ticker/price',
    (parameters) => (parameters.text('symbol') === undefined ? 2 : 1),
    ({ exchange }, parameters) =>
      perMarket(exchange, parameters, ({ pair, lastTick }) => ({
        symbol: pair.symbol,
        price: plain(lastTick, pair.priceDecimals),
      })),
  ),
  open('ticker/bookTicker', 1, ({ exchange }, parameters) => perMarket(exchange, parameters, bookTickerRow)),

  signed('GET', 'kyc/status', 1, () => ({ status: '1' })),
  signed('GET', 'selfSymbols', 1, ({ exchange }) => tradableSymbols(exchange)),
  signed('POST', 'order/test', 1, ({ exchange }, parameters, now) =>
    testOrder(exchange, orderMarket(exchange, parameters), parameters, now),
  ),
  signed('POST', 'order', 1, ({ exchange }, parameters, now) =>
    placeOrder(exchange, orderMarket(exchange, parameters), parameters, now),
  ),
  signed('POST', 'batchOrders', 1, ({ exchange }, parameters, now) => placeBatch(exchange, parameters, now)),
  signed('GET', 'order', 2, ({ exchange }, parameters) => {
    const market = orderMarket(exchange, parameters);
    const order = findOrder(market, parameters)(exchange.account);
    if (!order) throw mexcError.noSuchOrder();
    return orderRow(market, order);
  }),
  signed('DELETE', 'order', 1, ({ exchange }, parameters, now) => cancelOrder(exchange, parameters, now)),
  signed('GET', 'openOrders', 3, ({ exchange }, parameters) =>
    (orderMarkets(exchange, parameters) ?? exchange.markets).flatMap((market) =>
      exchange.account.openOrders(market.pair.symbol).map((order) => orderRow(market, order)),
    ),
  ),
  signed('DELETE', 'openOrders', 1, ({ exchange }, parameters, now) => cancelAll(exchange, parameters, now)),
  signed('GET', 'allOrders', 10, ({ exchange }, parameters, now) => {
    const market = orderMarket(exchange, parameters);
    const end = parameters.integer('endTime') ?? now;
    const start = Math.max(parameters.integer('startTime') ?? end - DAY_MS, now - ORDERS_DAYS * DAY_MS);
    const rows = (exchange.account.orders.get(market.pair.symbol) ?? []).filter(
      ({ time }) => time >= start && time <= end,
    );
    return newestFirst(rows, parameters.limit(500, 1000)).map((order) => orderRow(market, order));
  }),
  signed('GET', 'uid', 1, () => ({ uid: '1' })),
  signed('GET', 'account', 10, ({ exchange }) => accountRow(exchange.account)),
  signed('GET', 'myTrades', 10, ({ exchange }, parameters, now) => {
    const market = orderMarket(exchange, parameters);
    const order = queriedOrder(market, parameters);
    const end = parameters.integer('endTime') ?? now;
    const start = Math.max(parameters.integer('startTime') ?? 0, now - TRADES_DAYS * DAY_MS);
    const all = exchange.account.trades.get(market.pair.symbol) ?? [];
    const rows = all
      .map((trade, i) => ({ trade, self: all[i - 1]?.id === trade.id || all[i + 1]?.id === trade.id }))
      .filter(
        ({ trade }) => trade.time >= start && trade.time <= end && (order === undefined || trade.orderId === order),
      );
    return newestFirst(rows, parameters.limit(100, 100)).map(({ trade, self }) =>
      accountTradeRow(market, exchange.account, trade, self),
    );
  }),
  signed('GET', 'tradeFee', 20, ({ exchange }, parameters, now) => {
    orderMarket(exchange, parameters);
    return {
      data: { makerCommission: Number(MAKER_RATE), takerCommission: Number(TAKER_RATE) },
      code: 0,
      msg: 'success',
      timestamp: now,
    };
  }),
  signed('GET', 'mxDeduct/enable', 1, (_mexc, _parameters, now) => ({
    data: { mxDeductEnable: false },
    code: 0,
    msg: 'success',
    timestamp: now,
  })),
  signed('GET', 'capital/config/getall', 10, ({ exchange }) =>
    [...exchange.account.balances].map(([coin, { free, locked }]) => ({
      coin,
      Name: coin,
      free: units(free),
      locked: units(locked),
      networkList: [],
    })),
  ),
  signed('POST', 'userDataStream', 1, ({ listenKeys }, _parameters, now) => ({ listenKey: listenKeys.create(now) })),
  signed('GET', 'userDataStream', 1, ({ listenKeys }, _parameters, now) => ({ listenKey: listenKeys.valid(now) })),
  signed('PUT', 'userDataStream', 1, ({ listenKeys }, parameters, now) => {
    const listenKey = parameters.mandatory('listenKey');
    listenKeys.extend(listenKey, now);
    return { listenKey };
  }),
  signed('DELETE', 'userDataStream', 1, ({ listenKeys }, parameters, now) => {
    const listenKey = parameters.mandatory('listenKey');
    listenKeys.close(listenKey, now);
    return { listenKey };
  }),
  // The sandbox is spot only: clients that load everything find no contracts.
  {
    method: 'GET',
    path: '/api/v1/contract/detail',
    signed: false,
    weight: 1,
    handle: () => ({ success: true, code: 0, data: [] }),
  },
];

/** Returns the market of `symbol`, for market data. */
function oneMarket(exchange: SpotExchange, parameters: Parameters): PairMarket {
  return dataMarket(exchange, parameters.mandatory('symbol'));
}

function dataMarket(exchange: SpotExchange, symbol: string): PairMarket {
  const market = exchange.market(symbol);
  if (!market) throw mexcError.marketSymbol();
  return market;
}

/** Returns a row for the requested symbol, or a list of rows. */
function perMarket(exchange: SpotExchange, parameters: Parameters, row: (market: PairMarket) => object): unknown {
  return parameters.text('symbol') === undefined ? exchange.markets.map(row) : row(oneMarket(exchange, parameters));
}

/** Returns the newest `limit` rows of a list that is sorted oldest first. */
function newestFirst<T>(rows: readonly T[], limit: number): T[] {
  return rows.slice(-limit).reverse();
}
