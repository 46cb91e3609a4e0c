import type { Note } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { PLAN_REASON } from '@heron/engine/state/parentOrder.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PhaseHistory } from '../../phaseHistory.ts';
import { ClosedCandles } from '../closedCandles.ts';
import { RUNS } from '../runs.ts';
import { play, type World, type WorldEvent, worlds } from '../world.ts';

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

  /** Returns whether a quarantine begins with a note. */
  begins({ kind, at, pair, data }: Note): boolean {
    if (kind === 'liquidation' || (kind === 'fill' && data.kind === 'exit')) this.reduced.add(pair);
    // A position of mere dust has no loss yet.
    const closed = kind === 'position_closed' && this.reduced.delete(pair);
    if (!closed || this.minutes === 0 || Number(data.net) > 0) return false;
    this.ends.set(pair, at + this.minutes * 60_000);
    return true;
  }

  /** Returns the end of the last quarantine of a pair; 0 without one. */
  end(pair: string | null): number {
    return this.ends.get(pair) ?? 0;
  }
}

/** Numbers of automatic entries, and of situations in which they are not allowed. */
const entryCounts = () => ({
  entries: 0,
  entriesAfterQuarantine: 0,
  quarantines: 0,
  endsOfRunFor: 0,
  lateSignals: 0,
  warmUps: 0,
});

/** Checks and counts the automatic entries of one session. */
class AutomaticEntries {
  private readonly counts: ReturnType<typeof entryCounts>;
  private readonly quarantines: Quarantines;
  private readonly closed = new ClosedCandles();
  private status = 'created';

  constructor({ options }: World, counts: ReturnType<typeof entryCounts>) {
    this.counts = counts;
    this.quarantines = new Quarantines(options.quarentine_time);
  }

  follow(notes: readonly Note[], event: WorldEvent, warmup: number): void {
    this.closed.follow(event);
    for (const note of notes) {
      if (note.kind === 'status') this.followStatus(String(note.data.to), event);
      if (note.kind === 'refusal') this.countRefusal(note);
      if (this.quarantines.begins(note)) this.counts.quarantines += 1;
      if (entersItself(note)) this.check(note, warmup);
    }
  }

  private followStatus(status: string, { type }: WorldEvent): void {
    this.status = status;
    if (status === 'stopping' && type !== 'command') this.counts.endsOfRunFor += 1;
  }

  private countRefusal({ data: { gate } }: Note): void {
    if (gate === 'late_signal') this.counts.lateSignals += 1;
    if (gate === 'warming_up') this.counts.warmUps += 1;
  }

  private check({ at, pair }: Note, warmup: number): void {
    const end = this.quarantines.end(pair);
    this.counts.entries += 1;
    if (end > 0) this.counts.entriesAfterQuarantine += 1;
    expect(this.status).toBe('working');
    expect(at).toBeGreaterThanOrEqual(end);
    this.closed.expectCurrent(String(pair), at, warmup);
  }
}

/** Returns a world whose bot was started some minutes before the exchange delivered its history, so that `run_for` ends sooner. */
function startedEarlier({ events, ...world }: World, minutes: number): World {
  const [start, ...rest] = events as [WorldEvent, ...WorldEvent[]];
  return { ...world, events: [{ ...start, at: start.at - minutes * 60_000 }, ...rest] };
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
    const given = { stop_sell: [{ profit: 0.5, stop: 100 }], max_buy_loss_pct: 0 };
    const quarantined = worlds({ given: { ...given, quarentine_time: 3 }, strategies: 'signals' });
    const ending = fc
      .tuple(worlds({ given: { ...given, run_for: 1 }, strategies: 'signals' }), fc.integer({ min: 40, max: 59 }))
      .map(([world, minutes]) => startedEarlier(world, minutes));
    const counts = entryCounts();
    fc.assert(
      fc.property(fc.oneof(quarantined, ending, worlds({ strategies: 'signals' })), (world) => {
        const entries = new AutomaticEntries(world, counts);
        play(world, ({ bot: { warmup } }, notes, event) => {
          expect(warmup).toBeGreaterThanOrEqual(world.options.min_periods);
          entries.follow(notes, event, warmup);
        });
      }),
      { numRuns: RUNS },
    );
    const { entries, ...others } = counts;
    expect(entries).toBeGreaterThan(RUNS / 4);
    for (const [what, count] of Object.entries(others)) expect(count, what).toBeGreaterThan(RUNS / 20);
  });
});
