import type { PlanOrder } from '../grid/planOrder.ts';
import type { Price, Quantity } from '../money/units.ts';

/** A plan order that may still fill. */
export interface OpenPlanOrder {
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
export function orderDifferences<Order extends OpenPlanOrder>(
  wanted: readonly PlanOrder[],
  open: readonly Order[],
): { place: PlanOrder[]; cancel: Order[] } {
  const cancel = open.filter((order) => {
    if (order.afterCancel !== null) return false;
    const wantedOrder = wanted.find(({ key }) => key === order.planKey);
    return wantedOrder === undefined || !serves(order, wantedOrder);
  });
  const place = wanted.filter(({ key }) => !open.some((order) => order.planKey === key));
  return { place, cancel };
}

function serves(order: OpenPlanOrder, wanted: PlanOrder): boolean {
  const rest = order.target - order.filled;
  return order.kind === wanted.kind && order.firstPrice === wanted.price && rest === wanted.quantity;
}
