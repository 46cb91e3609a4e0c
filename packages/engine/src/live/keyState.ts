import { handle } from '../bot/handle.ts';
import type { BotState } from '../state/botState.ts';
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
  const ended = before === 'key_refused' ? 'key_accepted' : 'key_may_not_withdraw';
  recordExternalChange(context, null, { what: after ?? ended });
  handle(bot, { type: 'entry_block', at, why: after ?? null }, effects);
  if (before === 'key_refused') retryStopsNow(session.state.stops);
}
