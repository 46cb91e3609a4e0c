import { type Alarm, type NotificationKind, ROUTINE_EXTERNAL_CHANGES } from '@heron/contract/bots/notifications.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { Reason } from '@heron/engine/state/parentOrder.ts';

/** Sales that limit a loss. */
const STOPS: ReadonlySet<string> = new Set<Reason>([
  'stop_sell',
  'trailing_stop',
  'price_stop',
  'exchange_stop',
  'liquidation_guard',
]);

/** Alarms about a connection, and alarms after which the bot stops. */
const ALARM_KINDS: ReadonlyMap<string, NotificationKind> = new Map<Alarm, NotificationKind>([
  ['feed_away', 'disconnect'],
  ['account_away', 'disconnect'],
  ['feed_back', 'reconnected'],
  ['account_back', 'reconnected'],
  ['fault', 'bot_error'],
  ['state_unreadable', 'bot_error'],
  ['venue_differs', 'bot_error'],
  ['venue_disabled', 'bot_error'],
  ['state_too_new', 'bot_error'],
]);

const ORDINARY: ReadonlySet<string> = new Set(ROUTINE_EXTERNAL_CHANGES);

/** Whether an external change needs no attention. Other coins on the account are normal, unless they pause the pair. */
function isOrdinary({ what, pauses }: Note['data']): boolean {
  return ORDINARY.has(String(what)) || (what === 'foreign' && pauses !== true);
}

/**
 * Returns the kind of notification that a journal entry makes; null for entries that make none.
 *
 * @param endsAt the bot's `endsAt` after the entry; above zero for a bot that ends by itself
 */
export function notificationKindOf({ kind, data }: Note, endsAt: number): NotificationKind | null {
  // The throttle excludes a repeated entry from the notifications.
  if (data.quiet === true) return null;
  switch (kind) {
    case 'fill':
      // The liquidation has an entry of its own.
      if (data.reason === 'liquidation') return null;
      return STOPS.has(String(data.reason)) ? 'stop' : 'fill';
    case 'position_closed':
    case 'liquidation':
      return kind;
    case 'alarm':
      return ALARM_KINDS.get(String(data.what)) ?? 'alarm';
    case 'external':
      if (data.what === 'liquidated') return 'liquidation';
      return isOrdinary(data) ? null : 'outside';
    case 'status':
      // An owner who stops a bot needs no notification of it.
      return data.to === 'finished' && endsAt > 0 ? 'bot_finished' : null;
    default:
      return null;
  }
}
