import { beginExit } from '../exits/exit.ts';
import { cancelGridOrders, dropPlan } from '../orders/closePlan.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import { knownPrice } from '../state/knownPrice.ts';

/**
 * The kill switch of a pair: every order is cancelled, nothing is entered until the user resumes it, and if asked all that
 * is held is sold at market as soon as the exchange has confirmed the cancels.
 */
export function haltPair(bot: Bot, pair: PairState, close: boolean, at: number, effects: Effect[]): void {
  pair.paused = 'manual';
  pair.pendingExit = false;
  pair.lateExit = false;
  pair.reverse = 0;
  if (pair.ladder !== null) dropPlan(bot, pair, 'manual', at);
  if (pair.entry !== null) endParentOrder(bot, pair, pair.entry, 'cancelled', at, effects);
  cancelGridOrders(bot, pair, 'cancelled', at, effects);
  if (close && pair.position !== null) {
    const price = knownPrice(pair, pair.position.direction);
    beginExit(bot, pair, 'manual', pair.holding.quantity, price, 'taker', [], at, effects);
  } else if (!close && pair.exit !== null) {
    endParentOrder(bot, pair, pair.exit, 'cancelled', at, effects);
  }
}
