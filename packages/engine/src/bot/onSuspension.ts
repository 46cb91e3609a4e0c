import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import { manualExitOf } from '../state/manualExit.ts';
import { hasOwnPrice, waitsForPrice } from '../state/parentOrder.ts';
import type { KnownSuspension } from '../state/suspension.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Applies the suspension of a pair by the exchange, or its end. A suspension ends a working entry and a manual exit without an
 * order. A stop entry goes on waiting. Other exits wait, and open orders stay, since they could not be replaced.
 *
 * @param suspension undefined while the pair trades; `unread` leaves the pair as it is, but no plan starts at a quote until it is known
 */
export function onSuspension(turn: Turn, suspension: KnownSuspension | undefined): void {
  const { bot, pair, at } = turn;
  if (suspension === 'unread') {
    pair.isSuspensionUnknown = true;
    return;
  }
  delete pair.isSuspensionUnknown;
  if (pair.suspended === suspension) return;
  if (suspension === undefined) delete pair.suspended;
  else pair.suspended = suspension;
  bot.observer.suspension(at, pair, suspension ?? null);
  if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
  if (suspension === undefined) return;
  if (pair.entry !== null && !waitsForPrice(pair.entry)) {
    endParentOrder(turn, pair.entry, hasOwnPrice(pair.entry) ? 'unfilled' : 'cancelled');
  }
  endWaitingSale(turn);
}

/** Ends a manual exit that has no order, since none can be sent now; its owner decides again later. */
export function endWaitingSale(turn: Turn): void {
  const { pair } = turn;
  const exit = manualExitOf(pair);
  if (exit !== null && exit.order === null) endParentOrder(turn, exit, 'rejected');
}
