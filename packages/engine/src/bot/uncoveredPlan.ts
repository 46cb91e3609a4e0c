import { exact } from '../money/units.ts';
import { closePlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import type { PairState } from '../state/botState.ts';
import type { OrderPlan } from '../state/orderPlan.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Ends the plan of a pair when the account no longer holds what its orders are to sell, such as after a sale by the owner. The
 * pair is paused until the user resumes it; the exit tables manage what is left. A DCA deal whose position is only smaller
 * continues with it.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function endUncoveredPlan(turn: Turn): void {
  const { pair } = turn;
  const { orderPlan, entry } = pair;
  if (orderPlan === null) return;
  if (isCovered(pair, orderPlan)) {
    pair.dirtyOrders = ALL;
    return;
  }
  closePlan(turn, 'external');
  if (entry !== null) endParentOrder(turn, entry, 'cancelled');
}

/** Returns whether the holding covers what the plan counts as held, up to less than one step. */
function isCovered({ position, holding, market }: PairState, plan: OrderPlan): boolean {
  if (plan.kind === 'dca') return position !== null || plan.phase !== 'averaging';
  const planned = plan.cells.reduce((sum, { side, asset }) => exact(sum + side * asset), 0);
  const held = position === null ? 0 : position.direction * holding.quantity;
  const side = planned < 0 ? -1 : 1;
  return side * (planned - held) < (market?.step ?? 0);
}
