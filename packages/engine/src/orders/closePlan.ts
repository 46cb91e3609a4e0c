import { dcaCloses } from '../dca/dcaProgress.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { removePlan } from '../state/gridFigures.ts';
import { type ParentOrderEnd, PLAN_REASON, type Reason } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';
import { cancelPlanOrder } from './planOrderLoop.ts';

/**
 * Cancels every order of the plan before an exit, which waits until they have ended. A stop-loss, the liquidation guard and
 * a manual exit end the plan and pause the pair; the end of the run only ends the plan, and the take-profit of a DCA deal only
 * the deal.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function closePlan(turn: Turn, reason: Reason): void {
  const { bot, pair, at } = turn;
  const { orderPlan } = pair;
  if (orderPlan === null && pair.planOrders.length === 0) return;
  if (orderPlan !== null && orderPlan.kind === 'dca' && reason === PLAN_REASON) {
    dcaCloses(orderPlan);
  } else if (orderPlan !== null) {
    dropPlan(bot, pair, reason, at);
  }
  cancelPlanOrders(turn, 'cancelled');
}

/** Ends the plan of a pair. A new plan starts with the next run after the end of this one, else once the user resumes the pair. */
export function dropPlan(bot: Bot, pair: PairState, reason: Reason, at: number): void {
  removePlan(pair, at);
  pair.dirtyOrders = '';
  if (reason !== 'run_end') pair.paused = reason;
  bot.observer.orderPlan(at, pair, 'ended', { reason });
}

/** Cancels every order of a plan, or only entries when `entriesOnly`. */
export function cancelPlanOrders(turn: Turn, how: ParentOrderEnd, entriesOnly = false): void {
  const { pair } = turn;
  for (const parent of [...pair.planOrders]) {
    if (!entriesOnly || parent.kind === 'entry') cancelPlanOrder(turn, parent, how);
  }
}
