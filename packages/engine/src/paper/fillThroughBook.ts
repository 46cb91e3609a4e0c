import { floorStep, type Market } from '../market/market.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { PairQuote } from '../state/pairQuote.ts';

/** Known depth of one side of an order book: its best price and size, and the average size of its best price. */
export interface KnownDepth {
  readonly bestPrice: Price;
  /** 0 when unknown: the depth is assumed to be unlimited then. */
  readonly size: Quantity;
  readonly averageSize: Quantity;
}

/** Average sizes of the best bid and ask; 0 while unknown. */
export interface AverageSizes {
  bid: Quantity;
  ask: Quantity;
}

/** Weight of a new size in the average. */
const NEWEST_SHARE = 1 / 16;

/** Maximum distance from the best price, as a share of it; the remainder of a market order fills there. */
const MAX_WALK = 1 / 10;

/** Updates the average sizes of a book, so that a single order at the best price does not decide the depth. */
export function updateAverageSizes(
  averages: AverageSizes,
  { bidSize, askSize }: Pick<PairQuote, 'bidSize' | 'askSize'>,
): void {
  averages.bid = blended(averages.bid, bidSize);
  averages.ask = blended(averages.ask, askSize);
}

function blended(before: Quantity, size: Quantity): Quantity {
  if (size <= 0) return before;
  return before === 0 ? size : Math.max(1, Math.round(before + (size - before) * NEWEST_SHARE));
}

/**
 * Returns the quantity that a taker fills in a book, and the volume-weighted price. The best price has its displayed size. The depth
 * behind it is unknown: each further tick is assumed to have the average size of the best price.
 *
 * @param limit the worst price accepted; 0 for an order at market, which fills whole
 * @returns a quantity of 0 when the best price is beyond the limit
 * @see docs/paper.md#fills
 */
export function fillThroughBook(
  market: Market,
  side: 'buy' | 'sell',
  { bestPrice, size, averageSize }: KnownDepth,
  limit: Price,
  wanted: Quantity,
): { quantity: Quantity; price: Price } {
  const away = side === 'buy' ? 1 : -1;
  if (limit > 0 && away * (limit - bestPrice) < 0) return { quantity: 0, price: bestPrice };
  if (size <= 0 || wanted <= size) return { quantity: wanted, price: bestPrice };
  const each = averageSize > 0 ? averageSize : size;
  const deepest = Math.floor((bestPrice * MAX_WALK) / market.tick);
  const accepted = limit > 0 ? Math.floor((away * (limit - bestPrice)) / market.tick) : deepest;
  const ticks = Math.min(accepted, deepest);
  const quantity = limit > 0 ? Math.min(wanted, floorStep(market, size + ticks * each)) : wanted;
  const offset = (market.tick * ticksTaken(quantity - size, each, ticks)) / quantity;
  return { quantity, price: bestPrice + away * Math.ceil(offset) };
}

/** Returns the sum of ticks·quantity filled behind the best price; the remainder fills at the last tick. */
function ticksTaken(quantity: Quantity, each: Quantity, ticks: number): number {
  if (quantity <= 0) return 0;
  const whole = Math.min(Math.floor(quantity / each), ticks);
  const rest = quantity - whole * each;
  return (each * whole * (whole + 1)) / 2 + rest * Math.min(whole + 1, ticks);
}
