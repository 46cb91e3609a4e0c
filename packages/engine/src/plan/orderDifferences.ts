import type { GridOrder } from '../grid/gridOrder.ts';
import type { Price, Quantity } from '../money/units.ts';

/** An order of a plan that may still fill. */
export interface Resting {
  /** Key of the wanted order that it was placed for, and its price. */
  readonly planKey: string;
  readonly firstPrice: Price;
  readonly kind: 'entry' | 'exit';
  readonly target: Quantity;
  readonly filled: Quantity;
  /** Not null while it is being cancelled. */
  readonly afterCancel: string | null;
}

/**
 * Returns the orders to cancel and to place so that the wanted orders are open. An order of a key is placed only after the
 * previous one has ended, so that there are never two.
 *
 * @see docs/strategies.md#grid
 */
export function reconcile<Order extends Resting>(
  wanted: readonly GridOrder[],
  resting: readonly Order[],
): { place: GridOrder[]; cancel: Order[] } {
  const cancel = resting.filter((order) => {
    if (order.afterCancel !== null) return false;
    const gridOrder = wanted.find(({ key }) => key === order.planKey);
    return gridOrder === undefined || !serves(order, gridOrder);
  });
  const place = wanted.filter((gridOrder) => !resting.some((order) => order.planKey === gridOrder.key));
  return { place, cancel };
}

function serves(order: Resting, gridOrder: GridOrder): boolean {
  const rest = order.target - order.filled;
  return order.kind === gridOrder.kind && order.firstPrice === gridOrder.price && rest === gridOrder.quantity;
}
