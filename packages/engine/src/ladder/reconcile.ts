import type { Price, Quantity } from '../money/units.ts';
import type { Rung } from './rung.ts';

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
  wanted: readonly Rung[],
  resting: readonly Order[],
): { place: Rung[]; cancel: Order[] } {
  const cancel = resting.filter((order) => {
    if (order.afterCancel !== null) return false;
    const rung = wanted.find(({ key }) => key === order.rung);
    return rung === undefined || !serves(order, rung);
  });
  const place = wanted.filter((rung) => !resting.some((order) => order.rung === rung.key));
  return { place, cancel };
}

function serves(order: Resting, rung: Rung): boolean {
  const rest = order.target - order.filled;
  return order.kind === rung.kind && order.firstPrice === rung.price && rest === rung.quantity;
}
