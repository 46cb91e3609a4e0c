import type { Alarm } from '@heron/contract/bots/notifications.ts';
import type { Note } from '@heron/engine/session/journal.ts';

/** Returns the journal entry of an alarm about the whole bot. */
export function alarmNote(at: number, what: Alarm, data: Note['data'] = {}): Note {
  return { at, pair: null, kind: 'alarm', data: { what, ...data } };
}
