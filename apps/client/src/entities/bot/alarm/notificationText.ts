import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { journalSentence } from '../journalSentence.ts';

/** Returns the kind of the journal entry that belongs to a notification. */
function lineKind({ kind, data }: BotNotification): JournalEntry['kind'] {
  switch (kind) {
    case 'fill':
    case 'stop':
      return 'fill';
    case 'position_closed':
      return kind;
    case 'liquidation':
      return data.what === 'liquidated' ? 'external' : kind;
    case 'outside':
      return 'external';
    case 'bot_finished':
      return 'status';
    case 'alarm':
    case 'disconnect':
    case 'reconnected':
    case 'bot_error':
      return 'alarm';
  }
}

/** Returns the text of a notification, which is the sentence of its journal entry. */
export function notificationText(notification: BotNotification, preferences: Preferences): string {
  const { id, at, pair, data } = notification;
  return journalSentence({ seq: Number(id.split('.')[1]), at, pair, kind: lineKind(notification), data }, preferences);
}
