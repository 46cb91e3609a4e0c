import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterExit,
  cancelExit,
  dropHeldExit,
  dropReversal,
  type ExitSignal,
  exitsWhole,
  holdBack,
  isHeldBack,
  isWaiting,
  missExit,
  reversesTo,
  signalExit,
  waitAgain,
} from './exitSignal.ts';

type Pending = ExitSignal | null;

/** Every signal, by the name that the table of transitions uses. The other side is -1. */
const SIGNALS = {
  none: null,
  share: { kind: 'waiting', whole: false, enter: 0 },
  whole: { kind: 'waiting', whole: true, enter: 0 },
  both: { kind: 'waiting', whole: true, enter: -1 },
  heldShare: { kind: 'held', whole: false },
  heldWhole: { kind: 'held', whole: true },
  reversal: { kind: 'reversal', enter: -1 },
} as const satisfies Record<string, Pending>;

type Name = keyof typeof SIGNALS;

interface Transition {
  readonly event: string;
  readonly next: (signal: Pending) => Pending;
  /** The signal afterwards, by the one before, in the order of {@link SIGNALS}. */
  readonly after: readonly Name[];
  /** Whether the entry of the other side is wanted, kept or dropped. */
  readonly entry: 'wanted' | 'kept' | 'dropped';
}

/** Every event that changes the signal. */
const TRANSITIONS: readonly Transition[] = [
  {
    event: 'the strategy exits',
    next: (signal) => signalExit(signal, 0),
    after: ['share', 'share', 'whole', 'whole', 'share', 'whole', 'share'],
    entry: 'dropped',
  },
  {
    event: 'the strategy reverses',
    next: (signal) => signalExit(signal, -1),
    after: ['both', 'both', 'both', 'both', 'both', 'both', 'both'],
    entry: 'wanted',
  },
  {
    event: 'a candle that exits was missed',
    next: (signal) => missExit(signal, false),
    after: ['share', 'share', 'whole', 'both', 'share', 'whole', 'both'],
    entry: 'kept',
  },
  {
    event: 'a candle that reverses was missed',
    next: (signal) => missExit(signal, true),
    after: ['whole', 'whole', 'whole', 'both', 'whole', 'whole', 'both'],
    entry: 'kept',
  },
  {
    event: 'the loss guard holds the exit back',
    next: holdBack,
    after: ['heldShare', 'heldShare', 'heldWhole', 'heldWhole', 'heldShare', 'heldWhole', 'heldShare'],
    entry: 'dropped',
  },
  {
    event: 'the exit begins, or the position is closed',
    next: afterExit,
    after: ['none', 'none', 'none', 'reversal', 'none', 'none', 'reversal'],
    entry: 'kept',
  },
  {
    event: 'what is held is too small to exit while an entry is being cancelled',
    next: waitAgain,
    after: ['share', 'share', 'whole', 'both', 'share', 'whole', 'share'],
    entry: 'kept',
  },
  {
    event: 'the user cancels the exit, or the exchange liquidates',
    next: cancelExit,
    after: ['none', 'share', 'whole', 'whole', 'none', 'none', 'none'],
    entry: 'dropped',
  },
  {
    event: 'an entry fills',
    next: dropHeldExit,
    after: ['none', 'share', 'whole', 'both', 'none', 'none', 'reversal'],
    entry: 'kept',
  },
  {
    event: 'another exit takes over, or the other side is entered',
    next: dropReversal,
    after: ['none', 'share', 'whole', 'whole', 'heldShare', 'heldWhole', 'none'],
    entry: 'dropped',
  },
  {
    event: 'the pair is halted, the bot stops, or the strategy wants the held side again',
    next: () => null,
    after: ['none', 'none', 'none', 'none', 'none', 'none', 'none'],
    entry: 'dropped',
  },
];

const NAMES = Object.keys(SIGNALS) as Name[];

describe('the exit signal', () => {
  test.each(TRANSITIONS)('changes as the table says when $event', ({ next, after }) => {
    expect(after).toHaveLength(NAMES.length);
    for (const [index, name] of NAMES.entries()) {
      expect(next(SIGNALS[name]), name).toEqual(SIGNALS[after[index] as Name]);
    }
  });

  test('is of the whole position only after a reversal, and enters only after one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TRANSITIONS), { minLength: 1, maxLength: 30 }), (transitions) => {
        let signal: Pending = null;
        let reversed = false;
        let enters = false;
        for (const { event, next, entry } of transitions) {
          const before: string = JSON.stringify(signal);
          const after: Pending = next(signal);
          expect(JSON.stringify(signal)).toBe(before);
          signal = after;
          reversed ||= event.includes('reverse');
          enters = entry === 'wanted' || (entry === 'kept' && enters);
          expect(exitsWhole(signal) && !reversed).toBe(false);
          expect(reversesTo(signal) !== 0 && !enters).toBe(false);
          if (signal === null) reversed = false;
          expect([isHeldBack(signal), isWaiting(signal), reversesTo(signal) !== 0].filter(Boolean).length).toBe(
            signal === null ? 0 : 1,
          );
        }
      }),
      { numRuns: Number(process.env.HERON_SOAK_RUNS ?? 1_000) },
    );
  });
});
