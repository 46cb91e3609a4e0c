import { floorStep } from '../market/market.ts';
import { exact } from '../money/units.ts';
import { closePlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import type { PairState } from '../state/botState.ts';
import type { OrderPlan } from '../state/orderPlan.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Compares the plan of a pair with a holding that changed outside of the bot. It ends when the account no longer holds what its
 * orders are to sell, such as after a sale by the owner. The pair is paused until the user resumes it; the exit tables manage what
 * is left. A DCA deal whose position is only smaller continues with it.
 *
 * @param mayBeOfOthers the missing quantity may be one of other bots, so that the plan goes on
 * @see docs/grids-and-dca.md#common-rules
 */
export function comparePlan(turn: Turn, mayBeOfOthers: boolean): void {
  const { pair } = turn;
  const { orderPlan, entry } = pair;
  if (orderPlan === null) return;
  if (mayBeOfOthers || isCovered(pair, orderPlan)) {
    pair.dirtyOrders = ALL;
    return;
  }
  closePlan(turn, 'external');
  if (entry !== null) endParentOrder(turn, entry, 'cancelled');
}

/** Returns whether the holding covers what the plan offers, up to less than one step. Dust of the cells is not offered. */
function isCovered({ position, holding, market }: PairState, plan: OrderPlan): boolean {
  if (market === null) return true;
  if (plan.kind === 'dca') return position !== null || plan.phase !== 'averaging';
  const offered = plan.cells.reduce((sum, { side, asset }) => exact(sum + side * floorStep(market, asset)), 0);
  const lacking = Math.sign(offered) * (offered - holding.side * holding.quantity);
  return lacking < market.step;
}
