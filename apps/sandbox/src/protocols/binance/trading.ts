import { randomBytes } from 'node:crypto';
import type { SpotAccount } from '../../accounts/spot/spotAccount.ts';
import { isMarketPriced, type OrderType, type SpotOrder } from '../../accounts/spot/spotOrders.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { OrderRejected, type OrderRequest } from '../../venues/spot/orderRequest.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { BinanceError, binanceError } from './errors.ts';
import { ORDER_TYPES, SELF_TRADE_MODES } from './exchangeInfo.ts';
import {
  checkNotional,
  checkPrice,
  checkQuantity,
  checkQuoteOrder,
  filterTick,
  MAX_OPEN_ORDERS,
  MAX_STOP_ORDERS,
} from './filters.ts';
import { amendedRow, cancelledRow, commissionRow, placedRow } from './orderRows.ts';
import type { Parameters } from './parameters.ts';

const STOP_TYPES: readonly string[] = [
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] satisfies OrderType[];

const RESPONSES = ['ACK', 'RESULT', 'FULL'] as const;

/** Reads and checks the parameters of a new order, filters included. */
function readOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters): OrderRequest {
  parameters.mandatory('side');
  const side = parameters.word('side', ['BUY', 'SELL'], binanceError.side) === 'BUY' ? 'buy' : 'sell';
  parameters.mandatory('type');
  const type = parameters.word('type', ORDER_TYPES, binanceError.orderType);
  if (type === undefined) throw binanceError.orderType();
  const timeInForce = parameters.word('timeInForce', ['GTC', 'IOC', 'FOK'], binanceError.timeInForce);
  const clientId = parameters.clientId('newClientOrderId') ?? newClientId();
  const selfTrade =
    parameters.word('selfTradePreventionMode', SELF_TRADE_MODES, () =>
      binanceError.invalid('selfTradePreventionMode'),
    ) ?? 'EXPIRE_MAKER';
  if (parameters.has('trailingDelta')) {
    throw new BinanceError(-1013, 'Trailing stop orders are not supported for this symbol.');
  }
  if (parameters.has('icebergQty')) {
    throw new BinanceError(-1013, 'Iceberg orders are not supported for this symbol.');
  }
  const isStop = STOP_TYPES.includes(type);
  if (parameters.has('stopPrice') && !isStop) throw binanceError.notRequired('stopPrice');
  if (market.status !== 'trading') throw binanceError.closed();
  const common = { clientId, side, type, selfTrade } as const;
  if (type === 'MARKET') return readMarketOrder(market, parameters, common);
  const atMarket = isMarketPriced(type);
  checkOrderParameters(parameters, type);
  const quantity = parameters.units('quantity') as bigint;
  const stopTick = isStop ? checkPrice(market, parameters.units('stopPrice') as bigint) : 0;
  const tick = atMarket ? 0 : checkPrice(market, parameters.units('price') as bigint);
  const steps = checkQuantity(market, quantity, atMarket);
  checkNotional(market, atMarket ? stopTick : tick, steps, atMarket);
  const { account } = exchange;
  const { symbol } = market.pair;
  if ((account.open.get(symbol)?.size ?? 0) >= MAX_OPEN_ORDERS) throw binanceError.filter('MAX_NUM_ORDERS');
  if (isStop && account.untriggeredStops(symbol).length >= MAX_STOP_ORDERS)
    throw binanceError.filter('MAX_NUM_ALGO_ORDERS');
  return { ...common, timeInForce: timeInForce ?? 'GTC', tick, stopTick, steps, quoteOrdered: 0n };
}

/** Checks which parameters an order of a type must have and must not have. */
function checkOrderParameters(parameters: Parameters, type: OrderType): void {
  if (parameters.has('quoteOrderQty')) throw binanceError.notRequired('quoteOrderQty');
  const atMarket = isMarketPriced(type);
  const takesTimeInForce = type !== 'LIMIT_MAKER' && !atMarket;
  const hasTimeInForce = parameters.has('timeInForce');
  if (!takesTimeInForce && hasTimeInForce) throw binanceError.notRequired('timeInForce');
  if (takesTimeInForce && !hasTimeInForce) throw binanceError.missing('timeInForce');
  if (atMarket && parameters.has('price')) throw binanceError.notRequired('price');
  parameters.mandatory('quantity');
  if (!atMarket) parameters.mandatory('price');
  if (STOP_TYPES.includes(type)) parameters.mandatory('stopPrice');
}

function readMarketOrder(
  market: PairMarket,
  parameters: Parameters,
  common: Pick<OrderRequest, 'clientId' | 'side' | 'type' | 'selfTrade'>,
): OrderRequest {
  for (const name of ['timeInForce', 'price']) if (parameters.has(name)) throw binanceError.notRequired(name);
  const quantity = parameters.units('quantity');
  const value = parameters.units('quoteOrderQty');
  if (quantity !== undefined && value !== undefined) throw binanceError.combination();
  if (quantity !== undefined) {
    const steps = checkQuantity(market, quantity, true);
    checkNotional(market, filterTick(market), steps, true);
    return { ...common, timeInForce: 'GTC', tick: 0, steps, quoteOrdered: 0n };
  }
  if (value === undefined) throw binanceError.missingEither('quantity', 'quoteOrderQty');
  checkQuoteOrder(market, value);
  return { ...common, timeInForce: 'GTC', tick: 0, steps: 0, quoteOrdered: value };
}

/** Places an order. @returns the response in the requested detail */
export function placeOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const request = readOrder(exchange, market, parameters);
  const detail =
    parameters.word('newOrderRespType', RESPONSES, () => binanceError.invalid('newOrderRespType')) ??
    (request.type === 'LIMIT' || request.type === 'MARKET' ? 'FULL' : 'ACK');
  const { order, fills } = translate(() => exchange.place(market.pair.symbol, request, now));
  return placedRow(market.pair, order, fills, detail);
}

/** Checks an order without placing it. */
export function testOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const name = 'computeCommissionRates';
  const withCommission = parameters.word(name, ['true', 'false'], () => binanceError.invalid(name)) === 'true';
  const request = readOrder(exchange, market, parameters);
  translate(() => exchange.check(market.pair.symbol, request, now));
  return withCommission ? commissionRow(true) : {};
}

/** Returns a search for the order of a request: by its id, by its client id, or by both, which must agree. */
export function findOrder(
  parameters: Parameters,
  symbol: string,
  prefix = '',
): (account: SpotAccount) => SpotOrder | undefined {
  const idName = prefix === '' ? 'orderId' : `${prefix}OrderId`;
  const clientName = prefix === '' ? 'origClientOrderId' : `${prefix}OrigClientOrderId`;
  const id = parameters.integer(idName);
  const clientId = parameters.clientId(clientName);
  if (id === undefined && clientId === undefined) throw binanceError.missingEither(clientName, idName);
  return (account) => {
    const order = id === undefined ? account.orderByClientId(symbol, clientId as string) : account.order(symbol, id);
    return clientId !== undefined && order?.clientId !== clientId ? undefined : order;
  };
}

/** Cancels one order. */
export function cancelOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const find = findOrder(parameters, market.pair.symbol);
  const cancelId = parameters.clientId('newClientOrderId') ?? newClientId();
  const restriction = readRestriction(parameters);
  return cancel(exchange, market, { find, cancelId, restriction }, now);
}

/** Reduces an order; it keeps its place in the queue. */
export function amendOrder(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  const find = findOrder(parameters, market.pair.symbol);
  parameters.mandatory('newQty');
  const steps = checkQuantity(market, parameters.units('newQty') as bigint, false);
  const { symbol } = market.pair;
  const clientId = parameters.clientId('newClientOrderId') ?? newClientId();
  const { before, after } = translate(() => exchange.amend(symbol, find, steps, clientId, now));
  return amendedRow(market.pair, before, after);
}

/** Cancels all open orders of a symbol. */
export function cancelAll(exchange: SpotExchange, market: PairMarket, now: number): object[] {
  const { symbol } = market.pair;
  exchange.advance(now);
  const open = exchange.account.openOrders(symbol);
  if (open.length === 0) throw binanceError.cancel();
  return open.map((order) => {
    const cancelId = newClientId();
    const cancelled = translate(() =>
      exchange.cancel(symbol, (account) => account.order(symbol, order.id), cancelId, now),
    );
    return cancelledRow(market.pair, cancelled, cancelId);
  });
}

/** Cancels an order and places another. */
export function cancelReplace(exchange: SpotExchange, market: PairMarket, parameters: Parameters, now: number): object {
  parameters.mandatory('cancelReplaceMode');
  const mode = parameters.word('cancelReplaceMode', ['STOP_ON_FAILURE', 'ALLOW_FAILURE'], () =>
    binanceError.invalid('cancelReplaceMode'),
  );
  const find = findOrder(parameters, market.pair.symbol, 'cancel');
  const cancelId = parameters.clientId('cancelNewClientOrderId') ?? newClientId();
  const restriction = readRestriction(parameters);
  // An invalid new order is rejected before anything is cancelled.
  readOrder(exchange, market, parameters);
  const cancelled = attempt(() => cancel(exchange, market, { find, cancelId, restriction }, now));
  const placed =
    cancelled.rejected && mode === 'STOP_ON_FAILURE'
      ? undefined
      : attempt(() => placeOrder(exchange, market, parameters, now));
  const data = {
    cancelResult: cancelled.rejected ? 'FAILURE' : 'SUCCESS',
    newOrderResult: placed === undefined ? 'NOT_ATTEMPTED' : placed.rejected ? 'FAILURE' : 'SUCCESS',
    cancelResponse: cancelled.response,
    newOrderResponse: placed?.response ?? null,
  };
  if (!cancelled.rejected && !placed?.rejected) return data;
  const partly = placed !== undefined && cancelled.rejected !== placed.rejected;
  throw partly
    ? new BinanceError(-2021, 'Order cancel-replace partially failed.', 409, { data })
    : new BinanceError(-2022, 'Order cancel-replace failed.', 400, { data });
}

function attempt(action: () => object): { rejected: boolean; response: object } {
  try {
    return { rejected: false, response: action() };
  } catch (error) {
    if (error instanceof BinanceError) return { rejected: true, response: error.body };
    throw error;
  }
}

type Restriction = 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined;

function readRestriction(parameters: Parameters): Restriction {
  return parameters.word(
    'cancelRestrictions',
    ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'],
    () => new BinanceError(-1145, '`cancelRestrictions` has to be either `ONLY_NEW` or `ONLY_PARTIALLY_FILLED`.'),
  );
}

type Cancellation = {
  find: (account: SpotAccount) => SpotOrder | undefined;
  /** Client id of the request. */
  cancelId: string;
  restriction: Restriction;
};

function cancel(
  exchange: SpotExchange,
  market: PairMarket,
  { find, cancelId, restriction }: Cancellation,
  now: number,
): object {
  const { symbol } = market.pair;
  exchange.advance(now);
  const order = find(exchange.account);
  if (order && restriction && order.status !== restriction.replace('ONLY_', '') && exchange.account.isOpen(order)) {
    throw new BinanceError(-2011, 'Order was not canceled due to cancel restrictions.');
  }
  return cancelledRow(
    market.pair,
    translate(() => exchange.cancel(symbol, find, cancelId, now)),
    cancelId,
  );
}

/** Translates the rejections of the exchange into Binance's errors. */
function translate<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof OrderRejected)) throw error;
    switch (error.reason) {
      case 'insufficient-balance':
        throw binanceError.newOrder('Account has insufficient balance for requested action.');
      case 'would-match':
        throw binanceError.newOrder('Order would immediately match and take.');
      case 'duplicate-client-id':
        throw binanceError.newOrder('Duplicate order sent.');
      case 'no-liquidity':
        throw binanceError.newOrder('Order book liquidity is less than LOT_SIZE filter minimum quantity.');
      case 'unknown-order':
        throw binanceError.cancel();
      case 'would-trigger':
        throw binanceError.newOrder('Order would trigger immediately.');
      case 'market-closed':
        throw binanceError.closed();
      case 'not-smaller':
        throw binanceError.amend('Order amend (quantity increase) is not supported.');
      case 'no-change':
        throw binanceError.amend('The requested action would change no state; rejecting');
      case 'too-small':
        throw binanceError.filter('LOT_SIZE');
    }
  }
}

/** Returns a random client id, for requests without one. */
function newClientId(): string {
  return randomBytes(16).toString('base64url');
}
