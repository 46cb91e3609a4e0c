import { notionalUnit } from '../../accounts/money.ts';
import { DEMO_OWNER, isMarketPriced, type SpotOrder } from '../../accounts/spot/spotOrders.ts';
import type { Taker } from '../../book/book.ts';
import type { ExecutionRange } from '../../market/executionRules.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { Pair } from '../../market/pairs.ts';

/** Whether the rest of an order could be filled only outside the range, or not at all. */
export function isOutsideRange({ book }: PairMarket, { side, limit }: Taker, { low, high }: ExecutionRange): boolean {
  const best = side === 'buy' ? book.bestAsk : book.bestBid;
  if (best === -1 || (side === 'buy' ? best > limit : best < limit)) return false;
  return best < low || best > high;
}

/**
 * Returns the worst price at which an order may be filled; one that fills nothing when the best price is outside the
 * range.
 */
export function limitWithinRange({ book }: PairMarket, { side, limit }: Taker, { low, high }: ExecutionRange): number {
  if (side === 'buy') return book.bestAsk < low ? 0 : Math.min(limit, high);
  return book.bestBid > high ? Infinity : Math.max(limit, low);
}

/** Whether a last price triggers a stop order. */
export function isTriggered(
  { type, side, stopTick }: Pick<SpotOrder, 'type' | 'side' | 'stopTick'>,
  lastTick: number,
): boolean {
  const isLoss = type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT';
  return isLoss === (side === 'buy') ? lastTick >= stopTick : lastTick <= stopTick;
}

/** Returns the form in which an order meets the book. */
export function toTaker(
  order: Pick<SpotOrder, 'side' | 'type' | 'tick' | 'steps' | 'filled' | 'prevented' | 'quoteOrdered' | 'selfTrade'>,
  pair: Pair,
  id: number,
): Taker {
  const byValue = order.quoteOrdered > 0n;
  return {
    id,
    owner: DEMO_OWNER,
    side: order.side,
    limit: isMarketPriced(order.type) ? (order.side === 'buy' ? Infinity : 0) : order.tick,
    quantity: byValue ? Infinity : order.steps - order.filled - order.prevented,
    budget: byValue ? Number(order.quoteOrdered / notionalUnit(pair)) : Infinity,
    selfTrade: order.selfTrade,
  };
}
