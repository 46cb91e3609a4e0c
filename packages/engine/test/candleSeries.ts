import fc from 'fast-check';
import type { Generated } from './generated.ts';

/** Open, high, low, close, volume of one closed candle. */
export type Bar = readonly [open: number, high: number, low: number, close: number, volume: number];

const STEP = fc.record({
  /** Most candles are steps of a random walk; some are flat, some begin with a gap. */
  kind: fc.constantFrom('walk', 'walk', 'walk', 'walk', 'still', 'gap'),
  move: fc.integer({ min: -300, max: 300 }),
  up: fc.integer({ min: 0, max: 200 }),
  down: fc.integer({ min: 0, max: 200 }),
  volume: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 })),
  /** Number of candles that repeat the move. */
  times: fc.constantFrom(1, 1, 1, 1, 1, 2, 5, 30),
});

type Step = Generated<typeof STEP>;

/**
 * Generates random candles with a tick size of 0.0001, from 0.01 up: random walks, gaps, flat ranges, candles without volume and
 * repeated moves.
 */
export function bars(min: number, max: number): fc.Arbitrary<Bar[]> {
  return fc
    .tuple(fc.constantFrom(0.5, 100, 60_000), fc.array(STEP, { minLength: min, maxLength: max, size: 'max' }))
    .map(([start, steps]) => {
      const rows: Bar[] = [];
      for (const step of steps) {
        for (let i = 0; i < step.times && rows.length < max; i++) rows.push(barAfter(rows.at(-1)?.[3] ?? start, step));
      }
      return rows;
    });
}

/** Returns the candle of a step that follows a close. */
function barAfter(close: number, { kind, move, up, down, volume, times }: Step): Bar {
  const open = kind === 'gap' ? grid(close * (1 + move / 2_000)) : close;
  if (kind === 'still') return [open, open, open, open, times > 1 ? 0 : volume / 1_000];
  const next = grid(open * (1 + move / 10_000));
  const high = grid(Math.max(open, next) * (1 + up / 10_000));
  const low = grid(Math.min(open, next) * (1 - down / 10_000));
  return [open, high, low, next, volume / 1_000];
}

function grid(price: number): number {
  return Math.max(0.01, Math.round(price * 10_000) / 10_000);
}
