import type { Note } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PhaseHistory } from '../../phaseHistory.ts';
import { ClosedCandles } from '../closedCandles.ts';
import { RUNS } from '../runs.ts';
import { play, worlds } from '../world.ts';

const AUTOMATIC = ['signal', 'reverse', PLAN_REASON];
const entersItself = ({ kind, data }: Note) =>
  kind === 'intent' && data.kind === 'entry' && AUTOMATIC.includes(String(data.reason));

/** Returns whether the phase of a pair agrees with its position and parent orders. */
function agrees({ phase, position, entry, exit }: PairState): boolean {
  const flat = position === null;
  return {
    idle: flat && entry === null && exit === null,
    sold: flat && entry === null && exit === null,
    buying: entry !== null && exit === null,
    selling: exit !== null,
    bought: !flat && exit === null,
    partSell: !flat && exit === null,
  }[phase];
}

function expectConsistentPhase(pair: PairState, reported: string): void {
  if (agrees(pair) && pair.phase === reported) return;
  const { phase, position, entry, exit } = pair;
  expect({ phase, flat: position === null, entry, exit }).toBe(`an agreeing ${reported}`);
}

/** Adds a pair to `open` when its phase begins to have an entry or a position, and removes it afterwards. */
function followOpenPairs(open: Set<string | null>, { kind, pair, data }: Note): void {
  if (kind !== 'phase') return;
  if (data.to === 'idle' || data.to === 'sold') open.delete(pair);
  else open.add(pair);
}

/** Times until which closed pairs are in quarantine, by the notes of a session. */
class Quarantines {
  private readonly ends = new Map<string | null, number>();
  /** Pairs whose position has been reduced since it was opened. */
  private readonly reduced = new Set<string | null>();
  private readonly minutes: number;

  constructor(minutes: number) {
    this.minutes = minutes;
  }

  follow({ kind, at, pair, data }: Note): void {
    if (kind === 'liquidation' || (kind === 'fill' && data.kind === 'exit')) this.reduced.add(pair);
    // A position of mere dust has no loss yet.
    if (kind === 'position_closed' && this.reduced.delete(pair) && Number(data.net) <= 0) {
      this.ends.set(pair, at + this.minutes * 60_000);
    }
  }

  /** Returns the end of the last quarantine of a pair; 0 without one. */
  end(pair: string | null): number {
    return this.ends.get(pair) ?? 0;
  }
}

/** Expects that a pair has enough candles for its indicators, and misses none, when an entry begins. */
function expectCurrentCandles(closed: ClosedCandles, { at, pair }: Note, warmup: number): void {
  expect(closed.count(String(pair))).toBeGreaterThanOrEqual(warmup);
  // A candle counts as missed 10 s after the close of the next one.
  expect(at).toBeLessThanOrEqual(closed.last(String(pair)) + 2 * 60_000 + 10_000);
}

describe('pairs', () => {
  test('I-27: a pair changes phases by their arrows, consistent with position and orders', () => {
    let changes = 0;
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const phases = new PhaseHistory();
        play(world, (session, notes) => {
          phases.follow(notes);
          for (const pair of session.state.bot.pairs) expectConsistentPhase(pair, phases.of(pair.pair));
        });
        changes += phases.changes;
      }),
      { numRuns: RUNS },
    );
    expect(changes).toBeGreaterThan(RUNS / 4);
  });

  test('I-28: no automatic entry takes a bot beyond max_buy_pair_count', () => {
    const many = worlds({
      pairs: 4,
      strategies: 'signals',
      given: { max_buy_pair_count: 2, buy_pct: 20, max_buy_loss_pct: 0, sell_pct: 100 },
    });
    let entries = 0;
    fc.assert(
      fc.property(many, (world) => {
        const open = new Set<string | null>();
        play(world, (_session, notes) => {
          for (const note of notes) {
            followOpenPairs(open, note);
            if (!entersItself(note)) continue;
            entries += 1;
            expect(open.size).toBeLessThanOrEqual(2);
          }
        });
      }),
      { numRuns: RUNS },
    );
    expect(entries).toBeGreaterThan(RUNS / 4);
  });

  test('I-32: no automatic entry in quarantine, after run_for, stale, or before warm-up', () => {
    const given = { quarentine_time: 10, run_for: 1, stop_sell: [{ profit: 0.5, stop: 100 }], max_buy_loss_pct: 0 };
    let entries = 0;
    fc.assert(
      fc.property(fc.oneof(worlds({ given, strategies: 'signals' }), worlds({ strategies: 'signals' })), (world) => {
        const quarantines = new Quarantines(world.options.quarentine_time);
        const closed = new ClosedCandles();
        let status = 'created';
        play(world, ({ bot: { warmup } }, notes, event) => {
          expect(warmup).toBeGreaterThanOrEqual(world.options.min_periods);
          closed.follow(event);
          for (const note of notes) {
            if (note.kind === 'status') status = String(note.data.to);
            quarantines.follow(note);
            if (!entersItself(note)) continue;
            entries += 1;
            expect(status).toBe('working');
            expect(note.at).toBeGreaterThanOrEqual(quarantines.end(note.pair));
            expectCurrentCandles(closed, note, warmup);
          }
        });
      }),
      { numRuns: RUNS },
    );
    expect(entries).toBeGreaterThan(RUNS / 4);
  });
});
