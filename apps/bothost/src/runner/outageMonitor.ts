import type { Note } from '@heron/engine/session/journal.ts';
import { alarmNote } from './alarmNote.ts';

/** Away for so long is told: shorter breaks mend themselves all day. */
const AWAY_MS = 60_000;

/** What a bot can be cut off from. */
export type AwaySource = 'feed' | 'account';

/** Notices that a bot is cut off, once each time, and that it no longer is. */
export interface OutageMonitor {
  /**
   * @param since from when on nothing was heard, or null when all is well
   * @param quietMs where silence is longer than usual without being a break
   * @returns the line of the journal that this makes, if any
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
