import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { manualExitOf } from '../state/manualExit.ts';
import type { KnownSuspension } from '../state/suspension.ts';

/**
 * Takes what the exchange says of a pair: suspended, or trading. While it is suspended the bot enters nothing and ends its
 * open entry, and a sale by hand that has no order. Other exits wait, and open orders stay at the exchange, since nothing
 * could take their place.
 *
 * @param suspension undefined while the pair trades; `unread` leaves the pair as it is
 */
export function onSuspension(
  bot: Bot,
  index: number,
  suspension: KnownSuspension | undefined,
  at: number,
  effects: Effect[],
): void {
  const pair = bot.state.pairs[index];
  if (pair === undefined || suspension === 'unread' || pair.suspended === suspension) return;
  if (suspension === undefined) delete pair.suspended;
  else pair.suspended = suspension;
  bot.observer.suspension(at, pair, suspension ?? null);
  if (pair.ladder !== null) pair.ladderDue = ALL;
  if (suspension === undefined) return;
  if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'cancelled', at, effects);
  endWaitingSale(bot, pair, at, effects);
}

/** Ends a sale by hand that has no order, since none can be sent now. Its owner decides again once one can. */
export function endWaitingSale(bot: Bot, pair: PairState, at: number, effects: Effect[]): void {
  const exit = manualExitOf(pair);
  if (exit !== null && exit.order === null) endParentOrder(bot, pair, exit, 'rejected', at, effects);
}
