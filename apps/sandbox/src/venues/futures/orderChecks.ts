import { closableSteps } from '../../accounts/futures/closingOrders.ts';
import type { FuturesOrder, FuturesOrderRequest, PositionSide } from '../../accounts/futures/futuresOrders.ts';
import { orderCost } from '../../accounts/futures/orderCost.ts';
import { notionalUnit } from '../../accounts/money.ts';
import { DEMO_OWNER } from '../../accounts/spot/spotOrders.ts';
import type { Side, Taker } from '../../book/book.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { FuturesRejected } from './futuresRejected.ts';
import type { FuturesState } from './futuresState.ts';

/**
 * Rejects an order that cannot be accepted.
 *
 * @returns the steps to order: fewer than requested where only a smaller position is left to close
 * @throws FuturesRejected
 */
export function checkOrder(state: FuturesState, market: PairMarket, request: FuturesOrderRequest): number {
  const { account } = state;
  const { symbol } = market.pair;
  if (market.status !== 'trading') throw new FuturesRejected('market-closed');
  checkPositionSide(state, request.positionSide);
  const same = account.orderByClientId(symbol, request.clientId);
  if (same && account.isOpen(same)) throw new FuturesRejected('duplicate-client-id');
  const closing = account.isClosing(request);
  const steps = closing ? Math.min(request.steps, closableAt(state, market, request)) : request.steps;
  const held = Math.abs(account.position(symbol, request.positionSide).steps);
  // In hedge mode an order larger than the position does not close it.
  const tooLarge = closing && account.hedgeMode && request.steps > held;
  if (steps === 0 || tooLarge) throw new FuturesRejected('reduce-only');
  const preview = market.book.preview(toTaker(0, { ...request, steps }));
  if (request.type === 'MARKET' && preview.filled === 0) throw new FuturesRejected('no-liquidity');
  if (request.timeInForce === 'GTX' && market.book.crosses(request.side, request.tick)) {
    throw new FuturesRejected('would-match');
  }
  if (request.timeInForce === 'FOK' && preview.filled < steps) throw new FuturesRejected('not-fillable');
  if (!closing) checkMargin(state, market, { ...request, steps }, undefined);
  return steps;
}

/** @throws FuturesRejected when the side does not fit the position mode of the account */
export function checkPositionSide({ account }: FuturesState, positionSide: PositionSide): void {
  if ((positionSide === 'BOTH') === account.hedgeMode) throw new FuturesRejected('position-side');
}

/**
 * Rejects an order whose margin, loss at the mark price and fee exceed the available margin.
 *
 * @param replaced an open order that the new one replaces
 */
export function checkMargin(
  state: FuturesState,
  market: PairMarket,
  order: Pick<FuturesOrderRequest, 'side' | 'positionSide' | 'type' | 'tick' | 'steps'>,
  replaced: FuturesOrder | undefined,
): void {
  const contract = state.contract(market);
  const { leverage } = state.account.settings(contract.symbol);
  const all = state.statement();
  const row = all.positions.find((one) => one.contract === contract && one.position.side === order.positionSide);
  const freed = replaced
    ? BigInt(replaced.tick) * BigInt(replaced.steps - replaced.filled) * notionalUnit(contract)
    : 0n;
  const { side, positionSide, steps } = order;
  const cost = orderCost({
    contract,
    leverage,
    mark: state.mark(market).mark,
    row,
    order: { side, positionSide, steps, value: assumedValue(market, order) },
    freed,
  });
  if (cost.tooLarge) throw new FuturesRejected('most-position');
  if (cost.units > all.available) throw new FuturesRejected('insufficient-margin');
}

/** Returns the form in which an order meets the book. */
export function toTaker(
  id: number,
  order: Pick<FuturesOrder, 'side' | 'type' | 'tick' | 'steps' | 'selfTrade'> & { filled?: number },
): Taker {
  return {
    ...marketTaker(order.side, order.steps - (order.filled ?? 0)),
    id,
    ...(order.type === 'LIMIT' && { limit: order.tick }),
    selfTrade: order.selfTrade,
  };
}

/** Returns the steps that a closing order may have; one that crosses meets the book before any resting order. */
function closableAt(
  { account }: FuturesState,
  market: PairMarket,
  order: Pick<FuturesOrderRequest, 'side' | 'positionSide' | 'type' | 'tick'>,
): number {
  const rests = order.type === 'LIMIT' && !market.book.crosses(order.side, order.tick);
  return closableSteps(account, market.pair.symbol, order, rests ? order.tick : undefined);
}

/** Returns the value that Binance assumes of an order before it is filled. */
function assumedValue(
  market: PairMarket,
  order: { side: Side; type: 'LIMIT' | 'MARKET'; tick: number; steps: number },
): bigint {
  const unit = notionalUnit(market.pair);
  if (order.type === 'MARKET') {
    const { filled, cost } = market.book.preview(marketTaker(order.side, order.steps));
    // The part that the book cannot fill costs nothing.
    return filled === 0 ? 0n : cost * unit;
  }
  const tick = order.side === 'buy' ? order.tick : Math.max(order.tick, market.book.bestBid);
  return BigInt(tick) * BigInt(order.steps) * unit;
}

function marketTaker(side: Side, steps: number): Taker {
  const limit = side === 'buy' ? Number.POSITIVE_INFINITY : 0;
  return {
    id: 0,
    owner: DEMO_OWNER,
    side,
    limit,
    quantity: steps,
    budget: Number.POSITIVE_INFINITY,
    selfTrade: 'EXPIRE_MAKER',
  };
}
