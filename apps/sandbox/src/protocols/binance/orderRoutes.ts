import type { PairMarket } from '../../market/pairMarket.ts';
import { binanceError } from './errors.ts';
import { amendmentRow, orderRow } from './orderRows.ts';
import type { Route } from './route.ts';
import { oneMarket, span } from './routeParameters.ts';
import { amendOrder, cancelAll, cancelOrder, cancelReplace, findOrder, placeOrder, testOrder } from './trading.ts';

const ORDER_PARAMETERS = [
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
const CANCEL_PARAMETERS = ['symbol', 'orderId', 'origClientOrderId', 'newClientOrderId', 'cancelRestrictions'];

export const ORDER_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v3/order',
    freeOnSuccess: true,
    wsMethod: 'order.place',
    signed: true,
    isOrder: true,
    weight: 1,
    parameters: ORDER_PARAMETERS,
    handle: (exchange, parameters, now) => placeOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'POST',
    path: '/api/v3/order/test',
    wsMethod: 'order.test',
    signed: true,
    weight: (parameters) => (parameters.has('computeCommissionRates') ? 20 : 1),
    parameters: [...ORDER_PARAMETERS, 'computeCommissionRates'],
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
    freeOnSuccess: true,
    wsMethod: 'order.cancel',
    signed: true,
    weight: 1,
    parameters: CANCEL_PARAMETERS,
    handle: (exchange, parameters, now) => cancelOrder(exchange, oneMarket(exchange, parameters), parameters, now),
  },
  {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    freeOnSuccess: true,
    wsMethod: 'order.cancelReplace',
    signed: true,
    isOrder: true,
    weight: 1,
    parameters: [
      ...ORDER_PARAMETERS,
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
    freeOnSuccess: true,
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
  // The sandbox has no order lists and no allocations.
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
];
