import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { BotState } from '../state/botState.ts';
import { createTurn } from '../state/turn.ts';

/** Blocks automatic and manual entries on all pairs and cancels working ones; exits continue. */
export function blockEntries(
  bot: Bot,
  why: NonNullable<BotState['entriesBlockedBy']>,
  at: number,
  effects: Effect[],
): void {
  bot.state.entriesBlockedBy = why;
  for (const pair of bot.state.pairs) {
    if (pair.entry !== null) endParentOrder(createTurn(bot, pair, at, effects), pair.entry, 'cancelled');
  }
  markPlanOrdersDirty(bot);
}

/** Allows entries again on all pairs that are not paused for another reason. */
export function allowEntries(bot: Bot): void {
  delete bot.state.entriesBlockedBy;
  markPlanOrdersDirty(bot);
}

/** Makes the entries of plans be cancelled, or placed again, at the next quote. */
function markPlanOrdersDirty({ state }: Bot): void {
  for (const pair of state.pairs) if (pair.orderPlan !== null) pair.dirtyOrders = ALL;
}
