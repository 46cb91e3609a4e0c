import { unrealised } from '@heron/engine/ledger/holding.ts';
import { type PaperSession, restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../runs.ts';
import { live, play, startSession, type World, type WorldEvent, worlds } from '../world.ts';

/** Returns all notes of a bot in a world, and its final state. */
function logOf(world: World) {
  const notes: unknown[] = [];
  const session = play(world, (_, added) => notes.push(...added));
  return { notes, state: saveSession(session) };
}

/** Returns the world with one constant quote per pair, `spread` ticks wide; candles still move and cause signals. */
function stillness(world: World, spread: number): World {
  const prices = new Map(world.markets.map(({ pair, tick }, k) => [pair, { bid: tick * (5_000 + 700 * k), tick }]));
  const still = (event: WorldEvent): WorldEvent[] => {
    const price = 'pair' in event ? prices.get(event.pair) : undefined;
    if (event.type === 'funding') return [];
    if (event.type === 'trade') return [{ ...event, price: price?.bid ?? 0 }];
    if (event.type !== 'quote' || price === undefined) return [event];
    const { bid, tick } = price;
    return [{ ...event, bid, ask: bid + spread * tick, last: bid, mark: bid }];
  };
  return { ...world, events: world.events.flatMap(still) };
}

/** Returns the unrealised losses of isolated positions beyond their margin. */
function beyondMargins({ state: { bot } }: PaperSession): number {
  return bot.pairs.reduce((sum, { holding, market, mark }) => {
    if (market === null || !holding.isolated || holding.quantity === 0) return sum;
    return sum + Math.max(0, -unrealised(market, holding, mark) - holding.margin);
  }, 0);
}

describe('a session', () => {
  test.each([
    ['bid = ask', fc.constant(0)],
    ['bid < ask', fc.integer({ min: 1, max: 40 })],
  ])('I-6: at a constant quote with %s equity never rises, whatever is traded', (_, spreads) => {
    fc.assert(
      fc.property(worlds({ moves: 30 }), spreads, (world, spread) => {
        let last = world.options.currency_capital * 1e8;
        play(stillness(world, spread), (session) => {
          // Insurance and losses beyond isolated margins are no gains of the strategy, so the equity excludes them.
          const equity = equityOf(session.bot) - session.state.bot.wallet.insurance + beyondMargins(session);
          if (equity > last) expect(equity).toBeLessThanOrEqual(last);
          last = equity;
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-34: the same options and events make the same log', () => {
    fc.assert(
      fc.property(worlds({ moves: 30 }), (world) => {
        expect(logOf(structuredClone(world))).toEqual(logOf(world));
      }),
      { numRuns: RUNS },
    );
  });

  test('I-3: saved and restored at every event it continues unchanged', () => {
    fc.assert(
      fc.property(worlds({ moves: 20, maxPairs: 3 }), (world) => {
        let whole = startSession(world);
        let cut = startSession(world);
        for (const event of world.events) {
          const expected = live(whole, event);
          whole = expected.session;
          const restored = live(restoreSession(saveSession(cut)), event);
          cut = restored.session;
          if (expected.notes.length + restored.notes.length > 0) expect(restored.notes).toEqual(expected.notes);
        }
        expect(saveSession(cut)).toBe(saveSession(whole));
      }),
      { numRuns: RUNS },
    );
  });

  test('I-35: keep_lookback_periods, poll_broadcast_time, save_bot_time change no trade', () => {
    const other = fc.record({
      keep_lookback_periods: fc.constantFrom(50, 60, 50_000),
      poll_broadcast_time: fc.constantFrom(3_000, 60_000),
      save_bot_time: fc.constantFrom(6_000, 6_000_000),
    });
    fc.assert(
      fc.property(worlds(), other, (world, changed) => {
        const { notes } = logOf(world);
        expect(logOf({ ...world, options: { ...world.options, ...changed } }).notes).toEqual(notes);
      }),
      { numRuns: RUNS },
    );
  });

  test('I-37: no number that it stores or reports is NaN, infinite or a negative zero', () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        play(world, (session, notes) => {
          // NaN marks undefined indicator values; it stays inside the strategy state.
          const { pairs, ...bot } = session.state.bot;
          findOdd([{ ...session.state, bot }, pairs.map((pair) => ({ ...pair, strategyState: null })), notes]);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-39: two bots with separate pairs and wallets trade as each does alone', () => {
    fc.assert(
      fc.property(worlds({ pairs: 1 }), worlds({ pairs: 2 }), (one, two) => {
        const alone = [one, two].map(logOf);
        const both = [one, two].map((world) => ({ session: startSession(world), notes: [] as unknown[] }));
        const feed = (who: number, event: WorldEvent) => {
          const bot = both[who];
          if (bot === undefined) return;
          const next = live(bot.session, event);
          bot.session = next.session;
          bot.notes.push(...next.notes);
        };
        const longest = Math.max(one.events.length, two.events.length);
        for (let i = 0; i < longest; i++) {
          [one, two].forEach(({ events }, who) => {
            const event = events[i];
            if (event) feed(who, event);
          });
        }
        expect(both.map(({ session, notes }) => ({ notes, state: saveSession(session) }))).toEqual(alone);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Fails on the first number in plain data that is not finite or is −0. */
function findOdd(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || Object.is(value, -0)) expect(value).toBe('a whole number');
  } else if (typeof value === 'string') {
    if (value.includes('NaN') || value.includes('Infinity') || value === '-0') expect(value).toBe('an amount');
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) findOdd(inner);
  }
}
