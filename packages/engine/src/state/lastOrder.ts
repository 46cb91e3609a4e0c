import type { Price } from '../money/units.ts';
import type { PairState } from './botState.ts';
import type { ParentOrder, ParentOrderEnd } from './parentOrder.ts';

/**
 * Stores a parent order as the newest decision of its pair, in place of an earlier refusal. The stored object is reused, because
 * a backtest comes here for every trade.
 */
export function recordOrder(pair: PairState, parent: ParentOrder, at: number, price: Price): void {
  const { id, kind, direction, reason, target: quantity, filled } = parent;
  const last = pair.lastOrder;
  pair.lastRefusal = null;
  if (last === null) {
    pair.lastOrder = { id, at, kind, direction, reason, price, quantity, filled, end: null };
    return;
  }
  last.id = id;
  last.at = at;
  last.kind = kind;
  last.direction = direction;
  last.reason = reason;
  last.price = price;
  last.quantity = quantity;
  last.filled = filled;
  last.end = null;
}

/** Stores how an entry or exit of a pair has ended. One that had fills after a later decision becomes the newest again. */
export function recordOrderEnd(pair: PairState, parent: ParentOrder, how: ParentOrderEnd, at: number): void {
  const { id, filled, target } = parent;
  const before = pair.lastOrder;
  // A later decision that works is not displaced by the end of an earlier one.
  if (before?.id !== id && before?.end !== null && filled > 0) recordOrder(pair, parent, at, parent.firstPrice);
  const { lastOrder } = pair;
  if (lastOrder?.id !== id) return;
  // The target follows the holding while an exit of everything works.
  lastOrder.quantity = how === 'filled' ? filled : target;
  lastOrder.filled = filled;
  lastOrder.end = how;
}
