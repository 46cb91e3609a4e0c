import { apiRestrictions } from './apiRestrictions.ts';
import { binanceError } from './errors.ts';
import { units } from './format.ts';
import { accountRow, accountTradeRow, commissionRow } from './orderRows.ts';
import type { Route } from './route.ts';
import { oneMarket, span } from './routeParameters.ts';

export const ACCOUNT_ROUTES: readonly Route[] = [
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
    method: 'GET',
    path: '/api/v3/rateLimit/order',
    wsMethod: 'account.rateLimits.orders',
    signed: true,
    weight: 40,
    parameters: [],
    handle: (_exchange, _parameters, now, { limits }) => limits.orderReport(now),
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
  // Retired on 2026-02-20: the WebSocket API sends the events of the account.
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
  // The sandbox is spot only: no pair can be traded on margin.
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
