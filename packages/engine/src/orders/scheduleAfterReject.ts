import type { ParentOrder } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';

/** Post-only rejects in a row before the loop waits. @see docs/orders.md#maker-orders */
const MAX_REJECTS = 5;
/** Time until a rejected maker order is placed at a newer quote. */
export const REQUOTE_MS = 250;

/**
 * Schedules the next attempt of a parent order whose order was rejected as post-only.
 *
 * @see docs/orders.md#maker-orders
 */
export function scheduleAfterReject({ bot, at }: Turn, parent: ParentOrder): void {
  parent.rejects += 1;
  const waits = parent.rejects >= MAX_REJECTS;
  parent.dueAt = at + (waits ? bot.rules.adjustMs : REQUOTE_MS);
  if (waits) parent.rejects = 0;
}
