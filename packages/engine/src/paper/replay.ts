import type { Note } from '../session/journal.ts';
import type { MarketEvent } from '../state/botEvents.ts';
import { feedSession, type PaperSession, restoreSession, saveSession } from './paperSession.ts';

/** A saved session and the events that were fed to it afterwards. */
interface Stretch {
  session: string;
  events: MarketEvent[];
}

/** Result of a replay. */
export interface Replay {
  session: PaperSession;
  notes: Note[];
  events: number;
}

/**
 * Replays the tape of a paper bot: a line `{"session": text}`, then one line per event; a restart starts a new stretch. Decisions
 * that a killed process did not save are left out, as they were for the bot.
 *
 * @throws Error naming the line that is no tape, or a stretch that does not follow from the one before
 */
export function replayTape(lines: readonly string[]): Replay {
  const stretches = readTape(lines);
  const notes: Note[] = [];
  let session: PaperSession | null = null;
  let events = 0;
  stretches.forEach((stretch, index) => {
    session = restoreSession(stretch.session);
    const next = stretches[index + 1]?.session;
    const reaches = next === undefined ? never : reachesOf(next);
    let savedNotes = reaches(session) ? notes.length : -1;
    for (const event of stretch.events) {
      notes.push(...feedSession(session, event).notes);
      events += 1;
      if (reaches(session)) savedNotes = notes.length;
    }
    if (next === undefined) return;
    if (savedNotes < 0) throw new Error(`stretch ${index + 2} of the tape does not follow from the one before`);
    notes.length = savedNotes;
  });
  if (session === null) throw new Error('the tape is empty');
  return { session, notes, events };
}

function never(): boolean {
  return false;
}

/** Returns whether a session has reached the start of the next stretch. */
function reachesOf(text: string): (session: PaperSession) => boolean {
  const goal = restoreSession(text);
  const saved = saveSession(goal);
  if (saved === text) return (session) => saveSession(session) === saved;
  // An older version rounded some figures differently, but time, orders and money are the same.
  const moment = momentOf(goal);
  return (session) => momentOf(session) === moment;
}

function momentOf({ state: { now, bot, exchange } }: PaperSession): string {
  const { orders, nextFill } = exchange;
  const pairs = bot.pairs.map(({ candleTime, phase, entry, exit, holding }) => {
    const parents = [entry, exit].map((parent) => parent && [parent.id, parent.filled, parent.order]);
    return [candleTime, phase, parents, holding.quantity];
  });
  return JSON.stringify([now, bot.status, bot.wallet.quote, pairs, orders, nextFill]);
}

function readTape(lines: readonly string[]): Stretch[] {
  const stretches: Stretch[] = [];
  lines.forEach((line, index) => {
    if (line === '') return;
    let entry: { session?: string } | MarketEvent;
    try {
      entry = JSON.parse(line);
    } catch {
      // A kill can cut the last line; its event was never fed.
      return;
    }
    if ('session' in entry && typeof entry.session === 'string') {
      stretches.push({ session: entry.session, events: [] });
      return;
    }
    const stretch = stretches.at(-1);
    if (stretch === undefined || !('type' in entry)) throw new Error(`line ${index + 1} is no line of a tape`);
    stretch.events.push(entry);
  });
  return stretches;
}
