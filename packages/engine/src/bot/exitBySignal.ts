import { strategyEntry } from '../entry/enter.ts';
import { strategyExit } from '../exits/strategyExit.ts';
import { isTrading } from '../state/botStatus.ts';
import { afterExit, dropReversal, reversesTo } from '../state/exitSignal.ts';
import type { Turn } from '../state/turn.ts';

/** Starts the exit that the strategy wants now or wanted before. It waits for a quote, after which no reversal enters any more. */
export function exitBySignal(turn: Turn): void {
  const { pair } = turn;
  if (pair.position === null) pair.exitSignal = afterExit(pair.exitSignal);
  else if (pair.quote !== null) strategyExit(turn);
  else pair.exitSignal = dropReversal(pair.exitSignal);
}

/** Starts an exit that had to wait for a quote or for the end of an entry's order. @see docs/exits.md#exits-by-signal */
export function exitLate(turn: Turn): void {
  const { bot, pair } = turn;
  // The quantity that a cancelled entry still fills is known when its order has ended.
  if (!isTrading(bot) || pair.quote === null || (pair.entry !== null && pair.entry.afterCancel !== null)) return;
  exitBySignal(turn);
  enterReversed(turn);
}

/**
 * Enters the second half of a reversal once the exit is completely filled. After a cancelled entry without a fill there
 * was no position to exit, and all gates apply as they do from flat.
 *
 * @see docs/entries.md#reversals
 */
export function enterReversed(turn: Turn): void {
  const { pair } = turn;
  const direction = reversesTo(pair.exitSignal);
  if (direction === 0 || pair.exit !== null || pair.entry !== null) return;
  pair.exitSignal = dropReversal(pair.exitSignal);
  if (pair.position === null) strategyEntry(turn, direction, pair.phase === 'idle' ? 'signal' : 'reverse');
}
