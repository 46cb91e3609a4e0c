import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { FuturesOrder } from '../../accounts/futures/futuresOrders.ts';
import { BinanceError, binanceError } from '../binance/errors.ts';
import { Parameters } from '../binance/parameters.ts';
import { translate } from './errors.ts';
import { acknowledgedRow, orderRow, userTradeRow } from './orderRows.ts';
import { RATE_LIMITS } from './rateLimits.ts';
import { readAmendment, readOrder, wantsResult } from './readOrder.ts';
import type { Route, RouteContext } from './route.ts';
import { chosenMarkets, isWithin, oneMarket, page, span, weekOf } from './routeParameters.ts';

const MAX_BATCH = 5;

export const ORDER_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/fapi/v1/order',
    security: 'signed',
    isOrder: true,
    weight: 0,
    handle: (context) => placeOrder(context, context.parameters),
  },
  {
    method: 'POST',
    path: '/fapi/v1/order/test',
    security: 'signed',
    weight: 0,
    handle({ exchange, parameters, now, ...rest }) {
      const market = oneMarket({ exchange, parameters, now, ...rest });
      const terms = readOrder(exchange, market, parameters);
      translate(() => exchange.check(market.pair.symbol, terms, now));
      return {};
    },
  },
  {
    method: 'PUT',
    path: '/fapi/v1/order',
    security: 'signed',
    isOrder: true,
    weight: 1,
    handle(context) {
      const { exchange, parameters, now } = context;
      const market = oneMarket(context);
      const { symbol } = market.pair;
      const to = readAmendment(exchange, market, parameters);
      const order = translate(() => exchange.amend(symbol, findOrder(parameters, symbol), to, now));
      return acknowledgedRow(exchange.account, order, true);
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/order',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { exchange, parameters } = context;
      const order = findOrder(parameters, oneMarket(context).pair.symbol)(exchange.account);
      if (!order) throw binanceError.noSuchOrder();
      return orderRow(exchange.account, order);
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/openOrder',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { exchange, parameters } = context;
      const order = findOrder(parameters, oneMarket(context).pair.symbol)(exchange.account);
      if (!order || !exchange.account.isOpen(order)) throw binanceError.noSuchOrder();
      return orderRow(exchange.account, order);
    },
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/order',
    security: 'signed',
    weight: 1,
    handle: (context) => cancelOrder(context, findOrder(context.parameters, oneMarket(context).pair.symbol)),
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/allOpenOrders',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { symbol } = oneMarket(context).pair;
      for (const { id } of context.exchange.account.openOrders(symbol)) {
        // The cancellation of an order may have ended the next one too.
        const order = context.exchange.account.order(symbol, id);
        if (order && context.exchange.account.isOpen(order)) context.exchange.cancel(symbol, () => order, context.now);
      }
      return { code: 200, msg: 'The operation of cancel all open order is done.' };
    },
  },
  {
    method: 'POST',
    path: '/fapi/v1/batchOrders',
    security: 'signed',
    isOrder: true,
    weight: 5,
    handle(context) {
      const rows = readBatch(context.parameters.mandatory('batchOrders'), 'batchOrders');
      return rows.map((row) => attempt(() => placeOrder(context, parametersOf(row))));
    },
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/batchOrders',
    security: 'signed',
    weight: 1,
    handle(context) {
      const { symbol } = oneMarket(context).pair;
      const byId = context.parameters.has('orderIdList');
      const name = byId ? 'orderIdList' : 'origClientOrderIdList';
      return readBatch(context.parameters.mandatory(name), name).map((item) =>
        attempt(() =>
          cancelOrder(context, (account) =>
            byId ? account.order(symbol, Number(item)) : account.orderByClientId(symbol, String(item)),
          ),
        ),
      );
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/openOrders',
    security: 'signed',
    weight: (parameters) => (parameters.has('symbol') ? 1 : 40),
    handle(context) {
      const { account } = context.exchange;
      const symbol = context.parameters.has('symbol') ? oneMarket(context).pair.symbol : undefined;
      return account.openOrders(symbol).map((order) => orderRow(account, order));
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/allOrders',
    security: 'signed',
    weight: 5,
    handle(context) {
      const { account } = context.exchange;
      const from = context.parameters.integer('orderId');
      const { start, end } = weekOf(context.parameters);
      const rows = (account.orders.get(oneMarket(context).pair.symbol) ?? []).filter(
        ({ id, time }) => (from === undefined || id >= from) && isWithin(time, start, end),
      );
      return page(context.parameters, rows, from !== undefined || start !== undefined).map((order) =>
        orderRow(account, order),
      );
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/forceOrders',
    security: 'signed',
    weight: (parameters) => (parameters.has('symbol') ? 20 : 50),
    handle(context) {
      const { account } = context.exchange;
      const rows = chosenMarkets(context).flatMap(({ pair }) => account.orders.get(pair.symbol) ?? []);
      const { start, end } = span(context.parameters);
      return rows
        .filter(({ liquidation, time }) => liquidation && isWithin(time, start, end))
        .slice(-context.parameters.limit(50, 100))
        .map((order) => orderRow(account, order));
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/userTrades',
    security: 'signed',
    weight: 5,
    handle(context) {
      const market = oneMarket(context);
      const contract = context.exchange.contract(market);
      const order = context.parameters.integer('orderId');
      const from = context.parameters.integer('fromId');
      if (from !== undefined && (context.parameters.has('startTime') || context.parameters.has('endTime'))) {
        throw binanceError.combination();
      }
      const { start, end } = weekOf(context.parameters);
      const rows = (context.exchange.account.trades.get(contract.symbol) ?? []).filter(
        ({ id, orderId, time }) =>
          (order === undefined || orderId === order) &&
          (from === undefined || id >= from) &&
          isWithin(time, start, end),
      );
      return page(context.parameters, rows, from !== undefined || start !== undefined).map((trade) =>
        userTradeRow(contract, trade),
      );
    },
  },
  {
    method: 'GET',
    path: '/fapi/v1/rateLimit/order',
    security: 'signed',
    weight: 1,
    handle: () => RATE_LIMITS.filter(({ rateLimitType }) => rateLimitType === 'ORDERS'),
  },
];

function placeOrder(context: RouteContext, parameters: Parameters): object {
  const { exchange, now } = context;
  const market = oneMarket({ ...context, parameters });
  const known = wantsResult(parameters);
  const terms = readOrder(exchange, market, parameters);
  const order = translate(() => exchange.place(market.pair.symbol, terms, now));
  return acknowledgedRow(exchange.account, order, known);
}

function cancelOrder(context: RouteContext, find: (account: FuturesAccount) => FuturesOrder | undefined): object {
  const { symbol } = oneMarket(context).pair;
  const order = translate(() => context.exchange.cancel(symbol, find, context.now));
  return acknowledgedRow(context.exchange.account, order, true);
}

/** Returns a search for the order of `orderId` or `origClientOrderId`. */
function findOrder(parameters: Parameters, symbol: string): (account: FuturesAccount) => FuturesOrder | undefined {
  const id = parameters.integer('orderId');
  const clientId = parameters.text('origClientOrderId');
  if (id !== undefined) return (account) => account.order(symbol, id);
  if (clientId !== undefined) return (account) => account.orderByClientId(symbol, clientId);
  throw binanceError.missingEither('origClientOrderId', 'orderId');
}

/** Reads a JSON list of at most as many items as a batch may have. */
function readBatch(text: string, name: string): unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw binanceError.invalid(name);
  }
  if (!Array.isArray(list) || list.length === 0) throw binanceError.invalid(name);
  if (name === 'batchOrders' && list.length > MAX_BATCH) {
    throw new BinanceError(-4082, `Invalid number of batch place orders.`);
  }
  return list;
}

function parametersOf(row: unknown): Parameters {
  if (typeof row !== 'object' || row === null) throw binanceError.invalid('batchOrders');
  return new Parameters(new Map(Object.entries(row).map(([name, value]) => [name, String(value)])));
}

function attempt(action: () => object): object {
  try {
    return action();
  } catch (error) {
    if (error instanceof BinanceError) return error.body;
    throw error;
  }
}
