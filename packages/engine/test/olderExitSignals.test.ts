import { createLiveSession, restoreLive } from '@heron/engine/live/liveSession.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import { createPaperSession, restoreSession } from '@heron/engine/paper/paperSession.ts';
import { STATE_VERSION } from '@heron/engine/session/stateVersion.ts';
import type { BotState } from '@heron/engine/state/botState.ts';
import type { ExitSignal } from '@heron/engine/state/exitSignal.ts';
import { describe, expect, test } from 'vitest';
import { options } from './harness.ts';
import {
  expectSameLiveRun,
  expectSamePaperRun,
  type Recording,
  readRecording,
  restoredLiveBot,
  restoredPaperBot,
} from './recording.ts';

/** Expects that a recording contains the fill of an exit. */
function expectExit({ notes }: Recording): void {
  expect(notes.some(({ kind, data }) => kind === 'fill' && data.kind === 'exit')).toBe(true);
}

describe('a bot saved by version 3', () => {
  test.each<[file: string, signal: ExitSignal | null]>([
    ['held-exit', { kind: 'held', whole: false }],
    ['held-reversal', { kind: 'held', whole: true }],
    ['late-exit', { kind: 'waiting', whole: false, enter: 0 }],
    ['late-reversal', { kind: 'waiting', whole: true, enter: 0 }],
    ['cancelled-entry', { kind: 'waiting', whole: true, enter: -1 }],
    ['cancelled-entry-plain', { kind: 'waiting', whole: false, enter: 0 }],
    ['reversing', { kind: 'reversal', enter: -1 }],
    ['halted', null],
  ])('on paper continues as in that version, from %s', (file, signal) => {
    const recording = readRecording(3, file);
    expectExit(recording);
    expect(restoredPaperBot(recording).pairs[0]?.exitSignal).toEqual(signal);
    expectSamePaperRun(recording);
  });

  test.each<[file: string, signal: ExitSignal]>([
    ['live-held', { kind: 'held', whole: false }],
    ['live-late', { kind: 'waiting', whole: false, enter: 0 }],
  ])('live continues as in that version, from %s', (file, signal) => {
    const recording = readRecording(3, file);
    expectExit(recording);
    expect(restoredLiveBot(recording).pairs[0]?.exitSignal).toEqual(signal);
    expectSameLiveRun(recording);
  });
});

describe('the flags of a pair saved by version 3', () => {
  const config = { id: 'abc123', options: options(), params: {} };
  const paper = createPaperSession(config).state;
  const live = createLiveSession({ ...config, options: options({ mode: 'live' }), allotment: null }).state;

  /** Returns the text of a state with the given flags in place of `exitSignal`. */
  function withFlags(state: { bot: BotState }, flags: Readonly<Record<string, unknown>>, version: number): string {
    const pairs = state.bot.pairs.map(({ exitSignal: _, ...pair }) => ({ ...pair, ...flags }));
    return JSON.stringify({ ...state, version, bot: { ...state.bot, pairs } });
  }

  const FLAGS = [false, true].flatMap((pendingExit) =>
    [false, true].flatMap((lateExit) =>
      [false, true].flatMap((exitsAll) =>
        ([0, 1, -1] as const).map((reverse) => ({ pendingExit, lateExit, exitsAll, reverse })),
      ),
    ),
  );

  test.each(FLAGS)(
    'become one signal, on paper and live: %j',
    ({ pendingExit: held, lateExit: late, exitsAll: whole, reverse: enter }) => {
      const flags = { pendingExit: held, lateExit: late, exitsAll: whole, reverse: enter };
      let expected: ExitSignal | null = enter === 0 ? null : { kind: 'reversal', enter };
      if (held) expected = { kind: 'held', whole: whole || enter !== 0 };
      if (late) expected = { kind: 'waiting', whole: whole || enter !== 0, enter };
      for (const version of [2, 3]) {
        const ofPaper = restoreSession(withFlags(paper, flags, version)).state;
        const ofLive = restoreLive(JSON.parse(withFlags(live, flags, version)) as LiveState).state;
        for (const [state, fresh] of [
          [ofPaper, paper],
          [ofLive, live],
        ] as const) {
          const [pair] = state.bot.pairs;
          expect(pair?.exitSignal).toEqual(expected);
          expect(Object.keys(pair ?? {})).toEqual(Object.keys(fresh.bot.pairs[0] ?? {}));
          expect(state.version).toBe(STATE_VERSION);
        }
      }
    },
  );

  test('may be missing in a state of an early version', () => {
    const [pair] = restoreSession(withFlags(paper, { pendingExit: true }, 2)).state.bot.pairs;
    expect(pair?.exitSignal).toEqual({ kind: 'held', whole: false });
    expect(restoreSession(withFlags(paper, {}, 2)).state.bot.pairs[0]?.exitSignal).toBeNull();
  });
});

describe('the exit signal of a pair saved by version 4', () => {
  test.each<[file: string, signal: ExitSignal]>([
    ['held-exit', { kind: 'held', whole: false }],
    ['held-reversal', { kind: 'held', whole: true }],
    ['late-reversal', { kind: 'waiting', whole: true, enter: 0 }],
  ])('acts as before from %s', (file, signal) => {
    const recording = readRecording(4, file);
    expectExit(recording);
    expect(restoredPaperBot(recording).pairs[0]?.exitSignal).toEqual(signal);
    expectSamePaperRun(recording);
  });

  const config = { id: 'abc123', options: options(), params: {} };
  const paper = createPaperSession(config).state;
  const live = createLiveSession({ ...config, options: options({ mode: 'live' }), allotment: null }).state;

  function withSignal(state: { bot: BotState }, exitSignal: unknown): string {
    const pairs = state.bot.pairs.map((pair) => ({ ...pair, exitSignal }));
    return JSON.stringify({ ...state, version: 4, bot: { ...state.bot, pairs } });
  }

  test.each<[version4: object | null, signal: ExitSignal | null]>([
    [null, null],
    [{ kind: 'whole' }, null],
    [
      { kind: 'held', whole: false, enter: 0 },
      { kind: 'held', whole: false },
    ],
    [
      { kind: 'held', whole: true, enter: 0 },
      { kind: 'held', whole: true },
    ],
    [
      { kind: 'held', whole: true, enter: -1 },
      { kind: 'held', whole: true },
    ],
    [
      { kind: 'late', whole: false, enter: 0 },
      { kind: 'waiting', whole: false, enter: 0 },
    ],
    [
      { kind: 'late', whole: true, enter: 1 },
      { kind: 'waiting', whole: true, enter: 1 },
    ],
    // A late exit without its scope was left by an exit that had begun, and its reversal still exits everything.
    [
      { kind: 'late', whole: false, enter: -1 },
      { kind: 'waiting', whole: true, enter: -1 },
    ],
    [
      { kind: 'held_late', whole: true, enter: 0 },
      { kind: 'waiting', whole: true, enter: 0 },
    ],
    [
      { kind: 'reversal', whole: false, enter: -1 },
      { kind: 'reversal', enter: -1 },
    ],
    [
      { kind: 'reversal', whole: true, enter: 1 },
      { kind: 'reversal', enter: 1 },
    ],
  ])('%j becomes %j, on paper and live', (version4, signal) => {
    const ofPaper = restoreSession(withSignal(paper, version4)).state;
    const ofLive = restoreLive(JSON.parse(withSignal(live, version4)) as LiveState).state;
    for (const state of [ofPaper, ofLive]) {
      expect(state.bot.pairs[0]?.exitSignal).toEqual(signal);
      expect(state.version).toBe(STATE_VERSION);
    }
  });
});
