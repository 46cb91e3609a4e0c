import { beginExit } from '../../exits/exit.ts';
import { cancelPlanOrders, dropPlan } from '../../orders/closePlan.ts';
import { endParentOrder } from '../../orders/finishParentOrder.ts';
import { knownPrice } from '../../state/knownPrice.ts';
import type { Turn } from '../../state/turn.ts';

/**
 * Runs the kill switch of a pair: cancels every order and pauses the pair until the user resumes it. With `close` it also exits
 * the position at market once the exchange has confirmed the cancels.
 */
export function haltPair(turn: Turn, close: boolean): void {
  const { bot, pair, at } = turn;
  pair.paused = 'manual';
  pair.exitSignal = null;
  // An entry may be filled before its cancel arrives.
  if (close && (pair.entry !== null || pair.planOrders.length > 0)) pair.closing = true;
  if (pair.orderPlan !== null) dropPlan(bot, pair, 'manual', at);
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'cancelled');
  cancelPlanOrders(turn, 'cancelled');
  if (close && pair.position !== null) {
    const price = knownPrice(pair, pair.position.direction);
    beginExit(turn, { reason: 'manual', wanted: pair.holding.quantity, price, urgency: 'taker' });
  } else if (!close && pair.exit !== null) {
    endParentOrder(turn, pair.exit, 'cancelled');
  }
}
