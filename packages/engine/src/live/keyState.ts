import { allowEntries, blockEntries } from '../bot/entryBlock.ts';
import { endParentOrder } from '../orders/finishParentOrder.ts';
import type { BotState, PairState } from '../state/botState.ts';
import { manualExitOf } from '../state/manualExit.ts';
import { createTurn } from '../state/turn.ts';
import type { EventContext } from './eventContext.ts';
import type { KeyState } from './executionEvent.ts';
import { recordExternalChange } from './externalChange.ts';
import { retryStopsNow } from './protectiveStops.ts';

/** Returns why such a key blocks entries; undefined when it does not. */
export function entryBlockOf(key: KeyState): BotState['entriesBlockedBy'] {
  if (key === 'fine') return undefined;
  return key === 'refused' ? 'key_refused' : 'key_may_withdraw';
}

/**
 * Blocks entries while the exchange refuses the key or the key may withdraw, and allows them afterwards. Exits and stops
 * are retried at once when the key is accepted.
 *
 * @see docs/live.md#keys
 */
export function applyKeyState(context: EventContext, key: KeyState): void {
  const { session, at, effects } = context;
  const { bot } = session;
  const before = bot.state.entriesBlockedBy;
  const after = entryBlockOf(key);
  if (before === after) return;
  if (after !== undefined) {
    recordExternalChange(context, null, { what: after });
    blockEntries(bot, after, at, effects);
  } else {
    recordExternalChange(context, null, { what: before === 'key_refused' ? 'key_accepted' : 'key_may_not_withdraw' });
    allowEntries(bot);
  }
  if (after === 'key_refused') for (const pair of bot.state.pairs) giveUpManualExit(context, pair);
  if (before === 'key_refused') retryNow(context);
}

/** Ends a manual exit: its owner decides again once the key is accepted. */
function giveUpManualExit({ session, at, effects }: EventContext, pair: PairState): void {
  const exit = manualExitOf(pair);
  if (exit !== null) endParentOrder(createTurn(session.bot, pair, at, effects), exit, 'rejected');
}

/** Makes exits and stops that could not be sent due at once. */
export function retryNow({ session, at }: EventContext): void {
  const { pairs } = session.bot.state;
  for (const { exit } of pairs) if (exit !== null && exit.order === null && exit.dueAt > at) exit.dueAt = at;
  retryStopsNow(session.state.stops);
}
