import type { Note } from '@heron/engine/session/journal.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS } from '../runs.ts';
import { play, worlds } from '../world.ts';

/** @see docs/bot-lifecycle.md#pair-phases */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  idle: ['buying'],
  buying: ['idle', 'bought'],
  bought: ['selling'],
  partSell: ['selling'],
  // An exit without fills leaves the position unchanged.
  selling: ['partSell', 'sold', 'bought'],
  sold: ['buying'],
};

const AUTOMATIC = ['signal', 'reverse', 'ladder'];
const entersItself = ({ kind, data }: Note) =>
  kind === 'intent' && data.kind === 'entry' && AUTOMATIC.includes(String(data.reason));

describe('pairs', () => {
  test('I-27: a pair changes phases by their arrows, consistent with position and orders', () => {
    fc.assert(
      fc.property(worlds({ strategies: 'signals' }), (world) => {
        const phases = new Map<string | null, string>();
        play(world, (session, notes) => {
          for (const { kind, pair, data } of notes) {
            if (kind !== 'phase') continue;
            expect(data.from).toBe(phases.get(pair) ?? 'idle');
            expect(ARROWS[String(data.from)]).toContain(data.to);
            phases.set(pair, String(data.to));
          }
          for (const { pair, phase, position, entry, exit } of session.state.bot.pairs) {
            const flat = position === null;
            const agrees =
              phase === 'idle' || phase === 'sold'
                ? flat && entry === null && exit === null
                : phase === 'buying'
                  ? entry !== null && exit === null
                  : phase === 'selling'
                    ? exit !== null
                    : !flat && exit === null;
            if (!agrees || phase !== (phases.get(pair) ?? 'idle')) {
              expect({ phase, flat, entry, exit }).toBe(`an agreeing ${phases.get(pair) ?? 'idle'}`);
            }
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-28: no automatic entry takes a bot beyond max_buy_pair_count', () => {
    const many = worlds({
      pairs: 4,
      strategies: 'signals',
      given: { max_buy_pair_count: 2, buy_pct: 20, max_buy_loss_pct: 0, sell_pct: 100 },
    });
    fc.assert(
      fc.property(many, (world) => {
        const open = new Set<string | null>();
        play(world, (_session, notes) => {
          for (const note of notes) {
            if (note.kind === 'phase') {
              if (note.data.to === 'idle' || note.data.to === 'sold') open.delete(note.pair);
              else open.add(note.pair);
            }
            if (entersItself(note)) expect(open.size).toBeLessThanOrEqual(2);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('I-32: no automatic entry in quarantine, after run_for, stale, or before warm-up', () => {
    const given = { quarentine_time: 10, run_for: 1, stop_sell: [{ profit: 0.5, stop: 100 }], max_buy_loss_pct: 0 };
    fc.assert(
      fc.property(fc.oneof(worlds({ given, strategies: 'signals' }), worlds({ strategies: 'signals' })), (world) => {
        const { options } = world;
        const quarantine = new Map<string | null, number>();
        const left = new Set<string>();
        const closed = new Map<string, number>();
        const counted = new Map<string, number>();
        const take = (pair: string, time: number) => {
          if (time <= (closed.get(pair) ?? 0)) return;
          closed.set(pair, time);
          counted.set(pair, (counted.get(pair) ?? 0) + 1);
        };
        let status = 'created';
        play(world, (session, notes, event) => {
          const { warmup } = session.bot;
          expect(warmup).toBeGreaterThanOrEqual(options.min_periods);
          if (event.type === 'history') for (const { time } of event.candles) take(event.market.pair, time);
          if (event.type === 'candle') take(event.pair, event.candle.time);
          for (const note of notes) {
            const { at, pair, data } = note;
            if (note.kind === 'status') status = String(data.to);
            // A position of mere dust has no loss yet.
            if (note.kind === 'liquidation' || (note.kind === 'fill' && data.kind === 'exit')) left.add(String(pair));
            if (note.kind === 'position_closed' && left.delete(String(pair)) && Number(data.net) <= 0) {
              quarantine.set(pair, at + options.quarentine_time * 60_000);
            }
            if (!entersItself(note)) continue;
            expect(status).toBe('working');
            expect(at).toBeGreaterThanOrEqual(quarantine.get(pair) ?? 0);
            expect(counted.get(String(pair)) ?? 0).toBeGreaterThanOrEqual(warmup);
            // A candle counts as missed 10 s after the close of the next one.
            expect(at).toBeLessThanOrEqual((closed.get(String(pair)) ?? 0) + 2 * 60_000 + 10_000);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });
});
