import { dcaCloses } from '../dca/dcaProgress.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import type { ParentOrderEnd, Reason } from '../state/parentOrder.ts';
import type { Turn } from '../state/turn.ts';
import { cancelGridOrder } from './gridOrderLoop.ts';

/**
 * The position is to be closed: every order of the ladder is cancelled, and the sale waits until they have ended. A stop,
 * the liquidation guard and a sale by hand end the ladder and pause the pair; its own take-profit ends the cycle.
 *
 * @see docs/grids-and-dca.md#common-rules
 */
export function closePlan(turn: Turn, reason: Reason): void {
  const { bot, pair, at } = turn;
  const { ladder } = pair;
  if (ladder === null && pair.rungs.length === 0) return;
  if (ladder !== null && ladder.kind === 'dca' && reason === 'ladder') {
    dcaCloses(ladder);
  } else if (ladder !== null) {
    dropPlan(bot, pair, reason, at);
  }
  cancelGridOrders(turn, 'cancelled');
}

/** Ends the ladder of a pair for good: a new one is laid when the user resumes the pair. */
export function dropPlan(bot: Bot, pair: PairState, reason: Reason, at: number): void {
  pair.ladder = null;
  pair.ladderDue = '';
  pair.paused = reason;
  bot.observer.orderPlan(at, pair, 'ended', { reason });
}

/** Cancels every order of a ladder, of entries only when `entriesOnly`. */
export function cancelGridOrders(turn: Turn, how: ParentOrderEnd, entriesOnly = false): void {
  const { pair } = turn;
  for (const parent of [...pair.rungs]) {
    if (!entriesOnly || parent.kind === 'entry') cancelGridOrder(turn, parent, how);
  }
}
