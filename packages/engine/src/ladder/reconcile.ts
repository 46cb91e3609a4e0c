import type { Price, Quantity } from '../money/units.ts';
import type { Rung } from './rung.ts';

/** An order of a ladder that may still fill. */
export interface Resting {
  readonly key: string;
  readonly kind: 'entry' | 'exit';
  /** Price of the rung that it was placed for. */
  readonly price: Price;
  /** What it may still fill. */
  readonly rest: Quantity;
  /** Its cancel is on the way. */
  readonly leaving: boolean;
}

/**
 * What must happen so that the wanted orders rest: surplus ones are cancelled, missing ones placed. An order of a key is
 * placed only when the one before it has ended, so that there are never two of them.
 *
 * @see strategies.md 5 (per cell at most one open order)
 */
export function reconcile<Order extends Resting>(
  wanted: readonly Rung[],
  resting: readonly Order[],
): { place: Rung[]; cancel: Order[] } {
  const cancel = resting.filter((order) => {
    if (order.leaving) return false;
    const rung = wanted.find(({ key }) => key === order.key);
    return rung === undefined || !serves(order, rung);
  });
  const place = wanted.filter((rung) => !resting.some(({ key }) => key === rung.key));
  return { place, cancel };
}

function serves(order: Resting, rung: Rung): boolean {
  return order.kind === rung.kind && order.price === rung.price && order.rest === rung.quantity;
}
