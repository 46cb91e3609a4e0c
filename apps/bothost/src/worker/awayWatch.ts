import type { Note } from '@heron/engine/simulate/journal.ts';
import { alarmNote } from './alarmNote.ts';

/** Away for so long is told: shorter breaks mend themselves all day. */
const AWAY_MS = 60_000;

/** What a bot can be cut off from. */
export type Line = 'feed' | 'account';

/** Notices that a bot is cut off, once each time, and that it no longer is. */
export interface AwayWatch {
  /**
   * @param since from when on nothing was heard, or null when all is well
   * @param patienceMs where silence is longer than usual without being a break
   * @returns the line of the journal that this makes, if any
   */
  look(line: Line, since: number | null, at: number, patienceMs?: number): Note | null;
}

export function awayWatch(): AwayWatch {
  const told = new Map<Line, number>();
  return {
    look(line, since, at, patienceMs = 0) {
      const before = told.get(line);
      if (since === null) {
        if (before === undefined) return null;
        told.delete(line);
        return alarmNote(at, `${line}_back`, { since: before });
      }
      if (before !== undefined || at - since < Math.max(AWAY_MS, patienceMs)) return null;
      told.set(line, since);
      return alarmNote(at, `${line}_away`, { since });
    },
  };
}
