import type { Note } from '@heron/engine/session/journal.ts';
import { alarmNote } from './alarmNote.ts';

/** Shorter outages are common and end by themselves, so they are not reported. */
const AWAY_MS = 60_000;

/** The connections that a bot can lose. */
export type AwaySource = 'feed' | 'account';

/** Reports each outage of a bot once, and its end. */
export interface OutageMonitor {
  /**
   * @param since start of the outage, in ms; null while there is none
   * @param quietMs longest normal interval between two events, in ms
   * @returns the journal entry to write; null for none
   */
  check(source: AwaySource, since: number | null, at: number, quietMs?: number): Note | null;
}

export function createOutageMonitor(): OutageMonitor {
  const reportedAt = new Map<AwaySource, number>();
  return {
    check(source, since, at, quietMs = 0) {
      const before = reportedAt.get(source);
      if (since === null) {
        if (before === undefined) return null;
        reportedAt.delete(source);
        return alarmNote(at, `${source}_back`, { since: before });
      }
      if (before !== undefined || at - since < Math.max(AWAY_MS, quietMs)) return null;
      reportedAt.set(source, since);
      return alarmNote(at, `${source}_away`, { since });
    },
  };
}
