import type { GridOrder } from '../grid/gridOrder.ts';
import type { Price, Quantity } from '../money/units.ts';

/** An order of a ladder that may still fill. */
export interface Resting {
  /** Key of the rung that it was placed for, and its price. */
  readonly rung: string;
  readonly firstPrice: Price;
  readonly kind: 'entry' | 'exit';
  readonly target: Quantity;
  readonly filled: Quantity;
  /** Not null while its cancel is on the way. */
  readonly afterCancel: string | null;
}

/**
 * What must happen so that the wanted orders rest: surplus ones are cancelled, missing ones placed. An order of a key is
 * placed only when the one before it has ended, so that there are never two of them.
 *
 * @see docs/strategies.md#grid
 */
export function reconcile<Order extends Resting>(
  wanted: readonly GridOrder[],
  resting: readonly Order[],
): { place: GridOrder[]; cancel: Order[] } {
  const cancel = resting.filter((order) => {
    if (order.afterCancel !== null) return false;
    const gridOrder = wanted.find(({ key }) => key === order.rung);
    return gridOrder === undefined || !serves(order, gridOrder);
  });
  const place = wanted.filter((gridOrder) => !resting.some((order) => order.rung === gridOrder.key));
  return { place, cancel };
}

function serves(order: Resting, gridOrder: GridOrder): boolean {
  const rest = order.target - order.filled;
  return order.kind === gridOrder.kind && order.firstPrice === gridOrder.price && rest === gridOrder.quantity;
}
