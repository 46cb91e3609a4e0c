import type { Effect } from '../bot/event.ts';
import type { Bot } from '../bot/runtime.ts';
import type { PairState } from '../bot/state.ts';
import type { IntentEnd, Reason } from '../orders/intent.ts';
import { cancelRung } from '../orders/rung.ts';
import { dcaCloses } from './dca/orders.ts';

/**
 * The position is to be closed: every order of the ladder is cancelled, and the sale waits until they have ended. A stop,
 * the liquidation guard and a sale by hand end the ladder and pause the pair; its own take-profit ends the cycle.
 *
 * @see docs/ladders.md#what-both-have-in-common
 */
export function leaveLadder(bot: Bot, pair: PairState, reason: Reason, at: number, effects: Effect[]): void {
  const { ladder } = pair;
  if (ladder === null && pair.rungs.length === 0) return;
  if (ladder !== null && ladder.kind === 'dca' && reason === 'ladder') {
    dcaCloses(ladder);
  } else if (ladder !== null) {
    dropLadder(bot, pair, reason, at);
  }
  cancelRungs(bot, pair, 'cancelled', at, effects);
}

/** Ends the ladder of a pair for good: a new one is laid when the user resumes the pair. */
export function dropLadder(bot: Bot, pair: PairState, reason: Reason, at: number): void {
  pair.ladder = null;
  pair.ladderDue = '';
  pair.paused = reason;
  bot.witness.ladder(at, pair, 'ended', { reason });
}

/** Cancels every order of a ladder, of entries only when `entriesOnly`. */
export function cancelRungs(
  bot: Bot,
  pair: PairState,
  how: IntentEnd,
  at: number,
  effects: Effect[],
  entriesOnly = false,
): void {
  for (const intent of [...pair.rungs]) {
    if (!entriesOnly || intent.kind === 'entry') cancelRung(bot, pair, intent, how, at, effects);
  }
}
