import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import { binanceError } from './errors.ts';
import { exchangeInfo, STATUSES } from './exchangeInfo.ts';
import { executionRules, referenceCalculation, referencePrice } from './executionRuleRows.ts';
import { decimal } from './format.ts';
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
import type { Route } from './route.ts';
import { chosenMarkets, oneMarket, perMarket, span } from './routeParameters.ts';

export const PUBLIC_ROUTES: readonly Route[] = [
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
];

function depthWeight(limit: number): number {
  if (limit <= 100) return 5;
  if (limit <= 500) return 25;
  return limit <= 1000 ? 50 : 250;
}
