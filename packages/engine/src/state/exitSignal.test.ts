import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  closeExit,
  delayExit,
  directionAfter,
  dropHeldExit,
  dropReversal,
  type ExitSignal,
  exitsWhole,
  haltExit,
  holdBack,
  isHeldBack,
  isLate,
  settleExit,
  signalExit,
  tryExit,
  tryExitWhenFlat,
} from './exitSignal.ts';

/** The four flags that the signal replaces. */
interface Flags {
  pendingExit: boolean;
  lateExit: boolean;
  exitsAll: boolean;
  reverse: 0 | 1 | -1;
}

interface Transition {
  readonly name: string;
  readonly next: (signal: ExitSignal | null) => ExitSignal | null;
  /** The assignments that the engine made to the flags. */
  readonly model: (flags: Flags) => void;
}

const OFF: Flags = { pendingExit: false, lateExit: false, exitsAll: false, reverse: 0 };

/** Every event that changed the flags, with its assignments in their order. */
const TRANSITIONS: readonly Transition[] = [
  ...([0, 1, -1] as const).map((direction) => ({
    name: `an exit signal reverses to ${direction}`,
    next: (signal: ExitSignal | null) => signalExit(signal, direction),
    model: (flags: Flags) => {
      flags.reverse = direction;
      if (direction !== 0) flags.exitsAll = true;
    },
  })),
  {
    name: 'an exit waits for the cancel of an entry',
    next: (signal) => delayExit(signal, false),
    model: (flags) => {
      flags.lateExit = true;
    },
  },
  {
    name: 'a candle that would reverse was missed',
    next: (signal) => delayExit(signal, true),
    model: (flags) => {
      flags.lateExit = true;
      flags.exitsAll = true;
    },
  },
  {
    name: 'an exit is tried',
    next: tryExit,
    model: (flags) => {
      flags.lateExit = false;
    },
  },
  {
    name: 'an exit is tried without a position',
    next: tryExitWhenFlat,
    model: (flags) => {
      flags.lateExit = false;
      flags.exitsAll = false;
    },
  },
  ...[false, true].map((whole) => ({
    name: `the loss guard holds back an exit ${whole ? 'of the whole position' : 'of a share'}`,
    next: (signal: ExitSignal | null) => holdBack(signal, whole),
    model: (flags: Flags) => {
      flags.pendingExit = true;
      flags.exitsAll = whole;
      flags.reverse = 0;
    },
  })),
  {
    name: 'an exit begins',
    next: settleExit,
    model: (flags) => {
      flags.pendingExit = false;
      flags.exitsAll = false;
    },
  },
  {
    name: 'sell_pct 0 disables the exit, or an entry fills',
    next: dropHeldExit,
    model: (flags) => {
      flags.pendingExit = false;
    },
  },
  {
    name: 'the other side is entered, or an exit that does not reverse acts',
    next: dropReversal,
    model: (flags) => {
      flags.reverse = 0;
    },
  },
  {
    name: 'the user cancels an exit',
    next: (signal) => dropReversal(settleExit(signal)),
    model: (flags) => {
      flags.pendingExit = false;
      flags.exitsAll = false;
      flags.reverse = 0;
    },
  },
  {
    name: 'the exchange liquidates',
    next: (signal) => dropHeldExit(dropReversal(signal)),
    model: (flags) => {
      flags.pendingExit = false;
      flags.reverse = 0;
    },
  },
  {
    name: 'the pair is halted',
    next: haltExit,
    model: (flags) => {
      flags.pendingExit = false;
      flags.lateExit = false;
      flags.reverse = 0;
    },
  },
  {
    name: 'the position closes',
    next: closeExit,
    model: (flags) => {
      flags.pendingExit = false;
      flags.lateExit = false;
      flags.exitsAll = false;
    },
  },
  {
    name: 'the bot stops, or the strategy wants the held side again',
    next: () => null,
    model: (flags) => {
      Object.assign(flags, OFF);
    },
  },
];

const flagsOf = (signal: ExitSignal | null): Flags => ({
  pendingExit: isHeldBack(signal),
  lateExit: isLate(signal),
  exitsAll: exitsWhole(signal),
  reverse: directionAfter(signal),
});

/** Every signal that the type allows. */
const SIGNALS: readonly (ExitSignal | null)[] = [
  null,
  { kind: 'whole' },
  ...[false, true].flatMap((whole): ExitSignal[] => [
    ...([1, -1] as const).map((enter) => ({ kind: 'reversal' as const, whole, enter })),
    ...([0, 1, -1] as const).flatMap((enter) =>
      (['held', 'late', 'held_late'] as const).map((kind) => ({ kind, whole, enter })),
    ),
  ]),
];

describe('the exit signal', () => {
  test('has one value for each combination of the flags', () => {
    expect(SIGNALS).toHaveLength(24);
    expect(new Set(SIGNALS.map((signal) => JSON.stringify(flagsOf(signal)))).size).toBe(24);
  });

  test.each(TRANSITIONS)('changes as the flags did when $name', ({ next, model }) => {
    for (const signal of SIGNALS) {
      const flags = flagsOf(signal);
      model(flags);
      const after = next(signal);
      expect(flagsOf(after), JSON.stringify(signal)).toEqual(flags);
      expect(SIGNALS).toContainEqual(after);
    }
  });

  test('equals the flags after any transitions, and never changes a signal in place', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TRANSITIONS), { minLength: 1, maxLength: 30 }), (transitions) => {
        const flags = { ...OFF };
        let signal: ExitSignal | null = null;
        for (const { next, model } of transitions) {
          const before: string = JSON.stringify(signal);
          const after: ExitSignal | null = next(signal);
          expect(JSON.stringify(signal)).toBe(before);
          model(flags);
          expect(flagsOf(after)).toEqual(flags);
          signal = after;
        }
        return signal === null || JSON.stringify(flags) !== JSON.stringify(OFF);
      }),
      { numRuns: Number(process.env.HERON_SOAK_RUNS ?? 1_000) },
    );
  });
});
