import { canClose, closableSteps, excessOrders } from '../../accounts/futures/closingOrders.ts';
import type { FuturesOrder, FuturesOrderRequest, PositionSide } from '../../accounts/futures/futuresOrders.ts';
import { DEMO_OWNER } from '../../accounts/spot/spotOrders.ts';
import { CROWD } from '../../book/book.ts';
import type { Match, PairMarket } from '../../market/pairMarket.ts';
import { accountFills } from '../accountTrades.ts';
import { FuturesRejected } from './futuresRejected.ts';
import type { FindOrder, FuturesState } from './futuresState.ts';
import { checkMargin, checkOrder, toTaker } from './orderChecks.ts';

/** Places an order and lets it meet the book. @throws FuturesRejected */
export function placeOrder(state: FuturesState, market: PairMarket, request: FuturesOrderRequest): FuturesOrder {
  const part = market.conditions?.fillablePart(market.pair.symbol) ?? 1;
  if (part < 1) {
    market.thinBook(request.side, toTaker(0, request).limit, Math.max(1, Math.floor(request.steps * part)));
  }
  const steps = checkOrder(state, market, request);
  const order = createOrder(state, market, { ...request, steps });
  matchOrder(state, market, order, part);
  return order;
}

/** Adds an order to the account. @param origin the conditional order it comes from, and whether it liquidates */
export function createOrder(
  state: FuturesState,
  market: PairMarket,
  request: FuturesOrderRequest,
  { algoId = 0, liquidation = false }: { algoId?: number; liquidation?: boolean } = {},
): FuturesOrder {
  const { symbol } = market.pair;
  const id = market.nextOrderId++;
  state.apply({ kind: 'order', symbol, id, algoId, liquidation, time: state.time, ...request });
  return state.account.order(symbol, id) as FuturesOrder;
}

/**
 * Lets an order meet the book. The rest of it is added to the book, or ends.
 *
 * @param part the part of the order that finds a counterpart, above 0 to 1
 */
export function matchOrder(state: FuturesState, market: PairMarket, order: FuturesOrder, part = 1): void {
  const { venue } = state;
  const { result } = market.take(toTaker(order.id, order), state.time);
  venue.settle(market);
  if (state.account.isOpen(order)) {
    if (result.takerExpired) state.endOrder(order, 'EXPIRED_IN_MATCH');
    else if (isImmediate(order)) state.endOrder(order, 'EXPIRED');
    else {
      const left = order.steps - order.filled;
      market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, left);
      if (part < 1 && result.filled === 0) {
        market.fillFromCrowd(order, Math.max(1, Math.floor(left * part)), state.time);
        venue.settle(market);
      }
    }
  }
  capClosingOrders(state, market);
  venue.ensureTwoSided(market);
}

/** Cancels an open order. @throws FuturesRejected `unknown-order` when it is not open any more */
export function cancelOrder(state: FuturesState, market: PairMarket, find: FindOrder): FuturesOrder {
  const order = state.openOrder(find);
  market.book.cancel(order.id);
  state.endOrder(order, 'CANCELED');
  capClosingOrders(state, market);
  return order;
}

/** Changes price and quantity of an open limit order; it loses its place in the queue. @throws FuturesRejected */
export function amendOrder(
  state: FuturesState,
  market: PairMarket,
  find: FindOrder,
  to: { tick: number; steps: number },
): FuturesOrder {
  const order = state.openOrder(find);
  const { symbol } = market.pair;
  if (order.type !== 'LIMIT') throw new FuturesRejected('only-limit');
  if (order.tick === to.tick && order.steps === to.steps) throw new FuturesRejected('not-changed');
  if (to.steps <= order.filled) {
    // Binance cancels an order that is amended to no more than what is filled.
    market.book.cancel(order.id);
    state.endOrder(order, 'CANCELED');
    return order;
  }
  if (order.timeInForce === 'GTX' && market.book.crosses(order.side, to.tick)) {
    throw new FuturesRejected('would-match');
  }
  const changed = { ...order, tick: to.tick, steps: to.steps - order.filled };
  let { steps } = changed;
  // A closing order is cut to the position, as when it is placed.
  if (state.account.isClosing(order)) {
    steps = Math.min(steps, closableSteps(state.account, symbol, order, undefined));
  } else checkMargin(state, market, changed, order);
  market.book.cancel(order.id);
  const newSteps = order.filled + steps;
  state.apply({ kind: 'amend', symbol, orderId: order.id, tick: to.tick, steps: newSteps, time: state.time });
  matchOrder(state, market, order);
  return order;
}

/** Books the fills and expiries of the account in a match. */
export function bookMatch(state: FuturesState, market: PairMarket, match: Match): void {
  const { symbol } = market.pair;
  let isOurs = false;
  for (const { orderId, counterId, owner, maker, fill, trade } of accountFills(match)) {
    if (owner !== DEMO_OWNER) continue;
    isOurs = true;
    state.apply({
      kind: 'fill',
      symbol,
      orderId,
      tradeId: trade.id,
      aggregateId: trade.aggregateId,
      counterId,
      tick: fill.tick,
      steps: fill.quantity,
      maker,
      time: trade.time,
    });
  }
  for (const { id } of match.result.expired) {
    state.endOrder(state.account.order(symbol, id) as FuturesOrder, 'EXPIRED_IN_MATCH');
  }
  // After a taker of the account the cap follows once all of the order has met the book.
  if (isOurs && match.taker.owner === CROWD) capClosingOrders(state, market);
}

/** Adds the open orders of the account to the book after a restart. */
export function restoreOrders(state: FuturesState, market: PairMarket): void {
  for (const order of state.account.orders.get(market.pair.symbol) ?? []) {
    market.nextOrderId = Math.max(market.nextOrderId, order.id + 1);
    if (!state.account.isOpen(order)) continue;
    // The process was killed after this order was journalled and before it met the book.
    if (isImmediate(order) || market.book.crosses(order.side, order.tick)) state.endOrder(order, 'EXPIRED');
    else market.book.addOrder(order.id, DEMO_OWNER, order.side, order.tick, order.steps - order.filled);
  }
}

/** Expires orders whose time is over and orders of delisted contracts. */
export function expireOrders(state: FuturesState): void {
  for (const order of state.account.openOrders()) {
    const market = state.market(order.symbol);
    const isOver = order.goodTill !== 0 && order.goodTill <= state.time;
    if (!isOver && market.status !== 'delisted') continue;
    market.book.cancel(order.id);
    state.endOrder(order, 'EXPIRED');
  }
}

/**
 * Limits closing orders to the position: those that would be filled last are made smaller or expire. Conditional orders
 * with GTE_GTC expire when the position is gone.
 */
export function capClosingOrders(state: FuturesState, market: PairMarket): void {
  const sides: PositionSide[] = state.account.hedgeMode ? ['LONG', 'SHORT'] : ['BOTH'];
  for (const positionSide of sides) {
    for (const side of ['buy', 'sell'] as const) {
      capOrders(state, market, { side, positionSide });
      if (!canClose(state.account, market.pair.symbol, { side, positionSide })) {
        expireDependentAlgos(state, market, { side, positionSide });
      }
    }
  }
}

type Direction = { side: 'buy' | 'sell'; positionSide: PositionSide };

function capOrders(state: FuturesState, market: PairMarket, direction: Direction): void {
  const { symbol } = market.pair;
  for (const { order, allowed } of excessOrders(state.account, symbol, direction)) {
    if (allowed === 0) {
      market.book.cancel(order.id);
      state.endOrder(order, 'EXPIRED');
    } else {
      market.book.reduce(order.id, allowed);
      const steps = order.filled + allowed;
      state.apply({ kind: 'amend', symbol, orderId: order.id, tick: order.tick, steps, time: state.time });
    }
  }
}

function expireDependentAlgos(state: FuturesState, market: PairMarket, { side, positionSide }: Direction): void {
  for (const algo of [...state.account.pendingAlgos.values()]) {
    const matches = algo.symbol === market.pair.symbol && algo.side === side && algo.positionSide === positionSide;
    if (matches && algo.timeInForce === 'GTE_GTC') {
      state.apply({ kind: 'algoEnd', algoId: algo.id, status: 'EXPIRED', reason: '', time: state.time });
    }
  }
}

/** Whether an order never stays in the book. */
function isImmediate({ type, timeInForce }: FuturesOrder): boolean {
  return type === 'MARKET' || timeInForce === 'IOC' || timeInForce === 'FOK';
}
