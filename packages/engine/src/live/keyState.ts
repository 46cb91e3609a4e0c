import { barEntries, freeEntries } from '../bot/barred.ts';
import { manualExitOf } from '../bot/manualExit.ts';
import type { BotState, PairState } from '../bot/state.ts';
import { endIntentSoon } from '../orders/finishIntent.ts';
import type { KeyState } from './news.ts';
import { noteOutside } from './outside.ts';
import { retryStopsNow } from './stopWatch.ts';
import type { Turn } from './turn.ts';

/** Returns why nothing may be entered with such a key; undefined for one that is fine. */
export function barOf(key: KeyState): BotState['barred'] {
  if (key === 'fine') return undefined;
  return key === 'refused' ? 'key_refused' : 'key_may_withdraw';
}

/**
 * Blocks entries while the exchange refuses the key, or the key may withdraw, and frees them afterwards. Exits and stops
 * are tried again at once when the key is accepted.
 *
 * @see docs/live.md#keys
 */
export function applyKeyState(turn: Turn, key: KeyState): void {
  const { session, at, effects } = turn;
  const { bot } = session;
  const before = bot.state.barred;
  const after = barOf(key);
  if (before === after) return;
  if (after !== undefined) {
    noteOutside(turn, null, { what: after });
    barEntries(bot, after, at, effects);
  } else {
    noteOutside(turn, null, { what: before === 'key_refused' ? 'key_accepted' : 'key_may_not_withdraw' });
    freeEntries(bot);
  }
  if (after === 'key_refused') for (const pair of bot.state.pairs) giveUpManualExit(turn, pair);
  if (before === 'key_refused') retryNow(turn);
}

/** Ends a sale by hand: its owner decides again once the key is accepted. */
function giveUpManualExit({ session, at, effects }: Turn, pair: PairState): void {
  const exit = manualExitOf(pair);
  if (exit !== null) endIntentSoon(session.bot, pair, exit, 'rejected', at, effects);
}

/** Lets exits and stops that could not be sent be sent at once. */
export function retryNow({ session, at }: Turn): void {
  const { pairs } = session.bot.state;
  for (const { exit } of pairs) if (exit !== null && exit.order === null && exit.dueAt > at) exit.dueAt = at;
  retryStopsNow(session.state.stops);
}
