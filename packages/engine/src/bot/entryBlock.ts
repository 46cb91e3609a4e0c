import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import { retryExits } from '../orders/retryExits.ts';
import type { BotState } from '../state/botState.ts';
import { manualExitOf } from '../state/manualExit.ts';
import { type BotTurn, turnOf } from '../state/turn.ts';

/**
 * Blocks automatic and manual entries on all pairs and cancels working ones, or allows them again. Exits continue; those that
 * could not be sent with a refused key are retried at once when it is accepted.
 *
 * @param why undefined allows entries on all pairs that are not paused for another reason
 * @see docs/live.md#keys
 */
export function onEntryBlock(botTurn: BotTurn, why: BotState['entriesBlockedBy']): void {
  const { state } = botTurn.bot;
  const before = state.entriesBlockedBy;
  if (why === undefined) delete state.entriesBlockedBy;
  else state.entriesBlockedBy = why;
  for (const pair of state.pairs) {
    const turn = turnOf(botTurn, pair);
    if (why !== undefined && pair.entry !== null) endParentOrder(turn, pair.entry, 'cancelled');
    // The entries of a plan are cancelled, or placed again, at the next quote.
    if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
  }
  if (why === 'key_refused') giveUpManualExits(botTurn);
  if (before === 'key_refused') retryExits(botTurn);
}

/** Ends every manual exit: its owner decides again once the key is accepted. */
function giveUpManualExits(botTurn: BotTurn): void {
  for (const pair of botTurn.bot.state.pairs) {
    const exit = manualExitOf(pair);
    if (exit !== null) endParentOrder(turnOf(botTurn, pair), exit, 'rejected');
  }
}
