import type { Direction } from '../market/direction.ts';
import type { Price, Quantity } from '../money/units.ts';
import type { PairState } from './botState.ts';
import type { ParentOrder, ParentOrderEnd, Reason } from './parentOrder.ts';

/** The newest entry or exit of a pair; an order of its plan counts once it has ended with a fill. */
export interface LastOrder {
  /** Id of the parent order; 0 for a liquidation on paper, which has none. */
  readonly id: number;
  readonly at: number;
  readonly kind: 'entry' | 'exit';
  readonly direction: Direction;
  readonly reason: Reason;
  /** Reference price of the decision; 0 while none was known. */
  readonly price: Price;
  /** Wanted and filled quantity. A working parent order counts its own fills. */
  readonly quantity: Quantity;
  filled: Quantity;
  /** How the parent order ended; null while it works. */
  end: ParentOrderEnd | null;
}

/** Stores a parent order as the newest decision of its pair, in place of an earlier refusal. */
export function recordOrder(pair: PairState, parent: ParentOrder, at: number, price: Price): void {
  const { id, kind, direction, reason, target: quantity, filled } = parent;
  pair.lastOrder = { id, at, kind, direction, reason, price, quantity, filled, end: null };
  pair.lastRefusal = null;
}

/** Stores how the newest entry or exit of a pair has ended. */
export function recordOrderEnd({ lastOrder }: PairState, { id, filled }: ParentOrder, how: ParentOrderEnd): void {
  if (lastOrder?.id !== id) return;
  lastOrder.filled = filled;
  lastOrder.end = how;
}
