import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import { manualExitOf } from '../state/manualExit.ts';
import type { KnownSuspension } from '../state/suspension.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Takes what the exchange says of a pair: suspended, or trading. While it is suspended the bot enters nothing and ends its
 * open entry, and a sale by hand that has no order. Other exits wait, and open orders stay at the exchange, since nothing
 * could take their place.
 *
 * @param suspension undefined while the pair trades; `unread` leaves the pair as it is
 */
export function onSuspension(turn: Turn, suspension: KnownSuspension | undefined): void {
  const { bot, pair, at } = turn;
  if (suspension === 'unread' || pair.suspended === suspension) return;
  if (suspension === undefined) delete pair.suspended;
  else pair.suspended = suspension;
  bot.observer.suspension(at, pair, suspension ?? null);
  if (pair.ladder !== null) pair.ladderDue = ALL;
  if (suspension === undefined) return;
  if (pair.entry !== null) endParentOrder(turn, pair.entry, 'cancelled');
  endWaitingSale(turn);
}

/** Ends a sale by hand that has no order, since none can be sent now. Its owner decides again once one can. */
export function endWaitingSale(turn: Turn): void {
  const { pair } = turn;
  const exit = manualExitOf(pair);
  if (exit !== null && exit.order === null) endParentOrder(turn, exit, 'rejected');
}
