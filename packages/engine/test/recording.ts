import { readFileSync } from 'node:fs';
import { feedLive, restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { feedSession, restoreSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { BotState } from '@heron/engine/state/botState.ts';
import { expect } from 'vitest';

type Line = { session: string } | { note: Note } | { end: unknown } | MarketEvent;

/** A session saved by an older version, with the events that followed and what that version made of them. */
export interface Recording {
  readonly session: string;
  readonly events: readonly MarketEvent[];
  readonly notes: readonly Note[];
  readonly end: unknown;
}

/** Reads a recording of an older version. */
export function readRecording(version: number, file: string): Recording {
  const text = readFileSync(new URL(`./fixtures/version${version}/${file}.jsonl`, import.meta.url), 'utf8');
  const lines = text.trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  return {
    session: parsed.flatMap((line) => ('session' in line ? [line.session] : []))[0] as string,
    events: parsed.flatMap((line) => ('type' in line ? [line] : [])),
    notes: parsed.flatMap((line) => ('note' in line ? [line.note] : [])),
    end: parsed.flatMap((line) => ('end' in line ? [line.end] : []))[0],
  };
}

/** Restores the paper session of a recording and returns its bot. */
export function restoredPaperBot({ session }: Recording): BotState {
  return restoreSession(session).state.bot;
}

/** Restores the live session of a recording and returns its bot. */
export function restoredLiveBot({ session }: Recording): BotState {
  return restoreLive(JSON.parse(session) as LiveState).state.bot;
}

/** Expects that the paper session of a recording decides as the older version did. */
export function expectSamePaperRun(recording: Recording): void {
  const session = restoreSession(recording.session);
  const notes = recording.events.flatMap((event) => [...feedSession(session, event).notes]);
  expectSameRun(recording, notes, session.state.bot);
}

/** Expects that the live session of a recording decides as the older version did. */
export function expectSameLiveRun(recording: Recording): void {
  const session = restoreLive(JSON.parse(recording.session) as LiveState);
  const notes = recording.events.flatMap((event) => feedLive(session, event).notes);
  expectSameRun(recording, notes, session.state.bot);
}

function expectSameRun(recording: Recording, notes: readonly Note[], bot: BotState): void {
  // Newer versions add fields to notes.
  expect(JSON.parse(JSON.stringify(notes))).toMatchObject(recording.notes.map(comparable));
  expect(figuresOf(bot)).toEqual(recording.end);
}

/** Returns a note without the percentage of a closed position, which older versions related to all its entries instead of its largest size. */
function comparable(note: Note): Note {
  const { returnPercent: _, ...data } = note.data;
  return { ...note, data };
}

function figuresOf({ wallet, trades, wins, losses, status, pairs }: BotState) {
  return {
    cash: wallet.quote,
    trades,
    wins,
    losses,
    status,
    pairs: pairs.map(({ phase, holding: { quantity, cost, realised, fees }, position }) => ({
      phase,
      quantity,
      cost,
      realised,
      fees,
      peak: position?.peak ?? null,
    })),
  };
}
