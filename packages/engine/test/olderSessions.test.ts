import { readFileSync } from 'node:fs';
import { createLiveSession, restoreLive } from '@heron/engine/live/liveSession.ts';
import { SCALE } from '@heron/engine/money/units.ts';
import {
  createPaperSession,
  feedSession,
  type PaperSession,
  restoreSession,
  saveSession,
} from '@heron/engine/paper/paperSession.ts';
import { replayTape } from '@heron/engine/paper/replay.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { SessionTooNew } from '@heron/engine/session/stateVersion.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';
import type { BotState } from '@heron/engine/state/botState.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { completeParams } from '@heron/engine/strategies/completeParams.ts';
import { describe, expect, test } from 'vitest';
import { options } from './harness.ts';

const FOLDER = new URL('./fixtures/version1/', import.meta.url);

function linesOf(file: string): string[] {
  return readFileSync(new URL(file, FOLDER), 'utf8').split('\n').slice(0, -1);
}

/** Final state of version 1 after a recording. */
interface End {
  cash: number;
  trades: number;
  wins: number;
  losses: number;
  status: string;
  pairs: { phase: string; quantity: number; cost: number; realised: number; fees: number; peak: number | null }[];
}

type Line = { session: string } | { note: Note } | { end: End } | MarketEvent;

/** Whether an event is a manual buy, which version 1 sized at its worst price. */
function isManualBuy(event: MarketEvent): boolean {
  return event.type === 'command' && event.command.type === 'buy';
}

/** Reads a recording up to its first manual buy, which spends its amount now; with one, the end cannot be compared. */
function stretchOf(file: string) {
  const lines = linesOf(file).map((line) => JSON.parse(line) as Line);
  const session = lines.flatMap((line) => ('session' in line ? [line.session] : []))[0] as string;
  const end = lines.flatMap((line) => ('end' in line ? [line.end] : []))[0] as End;
  const events = lines.flatMap((line) => ('type' in line ? [line] : []));
  const buy = events.findIndex(isManualBuy);
  if (buy === -1) return { session, events, notes: notesOf(lines), end };
  const bought = events[buy]?.at ?? 0;
  return { session, events: events.slice(0, buy), notes: notesOf(lines).filter(({ at }) => at < bought), end: null };
}

function notesOf(lines: readonly Line[]): Note[] {
  return lines.flatMap((line) => ('note' in line ? [line.note] : []));
}

/** Returns the notes of the kinds that the recording of version 1 contains. */
function notesOfKnownKinds(notes: readonly Note[], expected: readonly Note[]): Note[] {
  const kinds = new Set(expected.map(({ kind }) => kind));
  return notes.filter(({ kind }) => kinds.has(kind));
}

/**
 * Units of 1e-8 by which a figure may differ. The remaining cost rounds up now, and version 1 rounded it to the nearest. The entry
 * price of a single fill is its price now, and was the quotient of its rounded value.
 */
const ROUNDING: Readonly<Record<string, number>> = { realised: 3, net: 3, entryPrice: 100 };

/** Expects every field of version 1 with its value; later fields may be present too. */
function expectAsBefore(notes: readonly Note[], expected: readonly Note[]): void {
  const now = notesOfKnownKinds(notes, expected);
  expect(now.map(({ kind, at }) => [kind, at])).toEqual(expected.map(({ kind, at }) => [kind, at]));
  now.forEach((note, index) => {
    const { data = {} } = expected[index] ?? {};
    // Version 1 related the result of a position to all its entries instead of its largest size.
    const { returnPercent: _, ...compared } = data;
    const before = Object.entries(data.gate === 'buy_loss' ? { gate: data.gate } : compared);
    expect(note.data).toMatchObject(Object.fromEntries(before.filter(([key]) => !(key in ROUNDING))));
    for (const [key, value] of before) {
      if (key in ROUNDING) expectNearly(Number(note.data[key]), Number(value), ROUNDING[key] as number);
    }
  });
}

function expectNearly(amount: number, before: number, units: number): void {
  expect(Math.abs(amount - before)).toBeLessThan((units + 0.5) / SCALE);
}

function endOf({ state: { bot } }: PaperSession): End {
  return {
    cash: bot.wallet.quote,
    trades: bot.trades,
    wins: bot.wins,
    losses: bot.losses,
    status: bot.status,
    pairs: bot.pairs.map(({ phase, holding, position }) => ({
      phase,
      quantity: holding.quantity,
      cost: holding.cost,
      realised: holding.realised,
      fees: holding.fees,
      peak: position?.peak ?? null,
    })),
  };
}

function expectGoesOn(file: string, change = (text: string) => text): PaperSession {
  const { session: text, events, notes, end } = stretchOf(file);
  const session = restoreSession(change(text));
  expectAsBefore(
    events.flatMap((event) => feedSession(session, event).notes),
    notes,
  );
  expect(notes.filter(({ kind }) => kind === 'fill').length).toBeGreaterThan(0);
  if (end === null) return session;
  const now = endOf(session);
  for (const [index, pair] of end.pairs.entries()) {
    const { cost, realised, ...rest } = now.pairs[index] as End['pairs'][number];
    expect(rest).toEqual({ phase: pair.phase, quantity: pair.quantity, fees: pair.fees, peak: pair.peak });
    expectNearly(cost / SCALE, pair.cost / SCALE, 3);
    expectNearly(realised / SCALE, pair.realised / SCALE, 3);
  }
  expect({ ...now, pairs: [] }).toEqual({ ...end, pairs: [] });
  return session;
}

/** Returns candle `i` of `strategies.jsonl`. */
function candle(i: number): [open: number, high: number, low: number, close: number, volume: number] {
  const [open, close] = [wave(i - 1), wave(i)];
  return [open, Math.max(open, close) * 1.001, Math.min(open, close) * 0.998, close, 1_000 + 300 * Math.sin(i / 2)];
}

function wave(i: number): number {
  const x = Math.sin(i / 3) * 0.02 + Math.sin(i / 11) * 0.02 * 1.5 + Math.sin(i * 1.7) * 0.02 * 0.2;
  return Math.round(100 * (1 + x) * 100) / 100;
}

describe('a bot saved by version 1', () => {
  test('flat and warm, continues to the same entries and exits', () => {
    expectGoesOn('flat.jsonl');
  });

  test('selling by a maker order, continues to the same prices and fills', () => {
    const { session } = stretchOf('maker-exit.jsonl');
    expect(restoreSession(session).state.bot.pairs[0]?.exit?.order).toMatchObject({ type: 'limit_maker', n: 1 });
    expectGoesOn('maker-exit.jsonl');
  });

  test('with an entry that is partly filled and still works, fills the rest', () => {
    const { session } = stretchOf('partly-filled-entry.jsonl');
    const [pair] = restoreSession(session).state.bot.pairs;
    expect(pair?.entry?.filled).toBeGreaterThan(0);
    expect(pair?.entry?.filled).toBeLessThan(pair?.entry?.target ?? 0);
    expectGoesOn('partly-filled-entry.jsonl');
  });

  test('with triggered rows and an activated callback, triggers each other row once', () => {
    const { session } = stretchOf('fired-rows.jsonl');
    expect(restoreSession(session).state.bot.pairs[0]?.position?.fired).toEqual({
      stopSell: 0b10,
      trailingStop: 0,
      profitWin: 0b10,
      callback: 0,
    });
    expectGoesOn('fired-rows.jsonl');
  });

  test('after an exit, still refuses to enter much dearer', () => {
    // Version 1 compared the worst price of a taker order, 0.5 % beyond the price of the decision.
    const session = expectGoesOn('after-an-exit.jsonl', (text) =>
      text.replace('"max_buy_loss_pct":0.5,', '"max_buy_loss_pct":0.001,'),
    );
    expect(session.state.bot.pairs[0]?.refusals.buy_loss).toBe(3);
  });

  test('has every field of a session that begins today, in the same order', () => {
    for (const file of ['flat', 'maker-exit', 'partly-filled-entry', 'fired-rows', 'after-an-exit']) {
      const { state } = restoreSession(stretchOf(`${file}.jsonl`).session);
      const today = createPaperSession({ id: 'abc123', options: options(), params: {} }).state;
      expect(Object.keys(state)).toEqual(Object.keys(today));
      expect(Object.keys(state.bot)).toEqual(Object.keys(today.bot));
      expect(Object.keys(state.bot.options)).toEqual(Object.keys(today.bot.options));
      expect(Object.keys(state.bot.wallet)).toEqual(Object.keys(today.bot.wallet));
      expect(Object.keys(state.bot.pairs[0] ?? {})).toEqual(Object.keys(today.bot.pairs[0] ?? {}));
      expect(Object.keys(state.bot.pairs[0]?.holding ?? {})).toEqual(Object.keys(today.bot.pairs[0]?.holding ?? {}));
      const text = saveSession(restoreSession(JSON.stringify(state)));
      expect(saveSession(restoreSession(text))).toBe(text);
    }
  });

  test('has a tape that replays to the same notes, also over a kill', () => {
    const { notes } = replayTape(linesOf('tape.jsonl'));
    expectAsBefore(notes, notesOf(linesOf('tape-notes.jsonl').map((line) => JSON.parse(line) as Line)));
  });

  test('keeps what its strategy has seen, whatever the strategy', () => {
    expectGoesOnSignalling(linesOf('strategies.jsonl'), 25, (id, state) => sessionWith(id, state).bot);
  });
});

describe('a bot saved by version 2', () => {
  const lines = readFileSync(new URL('./fixtures/version2/strategies.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');

  test('on paper keeps what its strategy has seen, whatever the strategy', () => {
    expectGoesOnSignalling(lines, 27, (id, strategyState) => {
      const session = createPaperSession({ id: 'abc123', options: options({ strategy: id }), params: {} });
      return restoreSession(savedByVersion2(session.state, strategyState)).bot;
    });
  });

  test('live keeps what its strategy has seen, whatever the strategy', () => {
    expectGoesOnSignalling(lines, 27, (id, strategyState) => {
      const live = { id: 'abc123', options: options({ strategy: id, mode: 'live' }), params: {}, allotment: null };
      return restoreLive(JSON.parse(savedByVersion2(createLiveSession(live).state, strategyState))).bot;
    });
  });
});

function savedByVersion2(state: { bot: BotState }, strategyState: unknown): string {
  const [pair] = state.bot.pairs;
  return JSON.stringify({ ...state, version: 2, bot: { ...state.bot, pairs: [{ ...pair, strategyState }] } });
}

/** Feeds every strategy the candles that follow its saved state, and compares the flags. */
function expectGoesOnSignalling(
  lines: readonly string[],
  count: number,
  restore: (id: string, state: unknown) => Pick<PaperSession['bot'], 'runs'>,
): void {
  const recorded = lines.map((line) => JSON.parse(line) as { id: string; stages: { state: unknown; flags: string }[] });
  expect(recorded).toHaveLength(count);
  for (const { id, stages } of recorded) {
    const strategy = STRATEGIES.get(id);
    const completed = strategy && completeParams(strategy, {});
    if (!strategy || !completed?.ok) throw new Error(`there is no strategy ${id}`);
    for (const [stage, { state, flags }] of stages.entries()) {
      const { runs } = restore(id, state);
      const seen = [7, 137][stage] as number;
      let given = '';
      for (let i = seen; i < seen + 150; i++) given += runs[0]?.onCandle(...candle(i)).flags.toString(16);
      expect(given, `${id} after ${seen} candles`).toBe(flags);
    }
  }
}

/** Creates a session of version 1 with the given strategy state. */
function sessionWith(strategy: string, strategyState: unknown): PaperSession {
  const state = JSON.parse(stretchOf('flat.jsonl').session);
  state.bot.options.strategy = strategy;
  state.bot.params = {};
  state.bot.pairs[0].strategyState = strategyState;
  return restoreSession(JSON.stringify(state));
}

describe('a saved session', () => {
  test('of a newer version is rejected by its number, not read', () => {
    const session = createPaperSession({ id: 'abc123', options: options(), params: {} });
    const newer = JSON.stringify({ ...session.state, version: session.state.version + 1, bot: null });
    expect(() => restoreSession(newer)).toThrow(SessionTooNew);
    expect(() => restoreSession(newer)).toThrow(/newer program: version 7/);
  });

  test('that lacks a present field gets it as in a fresh session', () => {
    const session = createPaperSession({ id: 'abc123', options: options(), params: {} });
    const whole = saveSession(session);
    const state = JSON.parse(whole);
    delete state.bot.pairs[0].paused;
    delete state.bot.wallet.insurance;
    delete state.bot.options.avg_slippage_pct;
    expect(saveSession(restoreSession(JSON.stringify(state)))).toBe(whole);
  });
});
