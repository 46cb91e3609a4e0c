import { endParentOrder } from '../orders/finishParentOrder.ts';
import { ALL } from '../orders/planFills.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect } from '../state/botEvents.ts';
import type { BotState } from '../state/botState.ts';
import { createTurn } from '../state/turn.ts';

/** From now on nothing is entered on any pair, by hand neither, and what was about to be is cancelled; exits go on. */
export function blockEntries(bot: Bot, why: NonNullable<BotState['barred']>, at: number, effects: Effect[]): void {
  bot.state.barred = why;
  for (const pair of bot.state.pairs) {
    if (pair.entry !== null) endParentOrder(createTurn(bot, pair, at, effects), pair.entry, 'cancelled');
  }
  markLaddersDirty(bot);
}

/** Pairs may enter again, those that are paused for another reason excepted. */
export function allowEntries(bot: Bot): void {
  delete bot.state.barred;
  markLaddersDirty(bot);
}

/** Orders of ladders that would enter go at the next quote, or come back. */
function markLaddersDirty({ state }: Bot): void {
  for (const pair of state.pairs) if (pair.ladder !== null) pair.ladderDue = ALL;
}
