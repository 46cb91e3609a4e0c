import { ALL } from '../orders/planFills.ts';
import { retryExits } from '../orders/retryExits.ts';
import { type BotTurn, turnOf } from '../state/turn.ts';
import { endWaitingSale } from './onSuspension.ts';

/**
 * Acts on a pause of all requests to the exchange, or on its end. Manual exits without an order end when it begins; when it
 * ends, exits that could not be sent are retried at once and the orders of plans are compared.
 *
 * @see docs/network.md#request-limits-and-bans
 */
export function onRequestPause(botTurn: BotTurn, ends: boolean): void {
  const { pairs } = botTurn.bot.state;
  if (!ends) {
    for (const pair of pairs) endWaitingSale(turnOf(botTurn, pair));
    return;
  }
  retryExits(botTurn);
  for (const pair of pairs) if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
}
