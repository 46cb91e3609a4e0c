import type { Note } from '@heron/engine/session/journal.ts';
import { expect } from 'vitest';

/** @see docs/bot-lifecycle.md#pair-phases */
const NEXT_PHASES: Readonly<Record<string, readonly string[]>> = {
  idle: ['buying'],
  buying: ['idle', 'bought'],
  bought: ['selling'],
  partSell: ['selling'],
  // An exit without fills leaves the position unchanged.
  selling: ['partSell', 'sold', 'bought'],
  sold: ['buying'],
};

/** The phase of each pair by the notes of its session. It expects every change to begin at the current phase and to be allowed. */
export class PhaseHistory {
  /** Number of changes so far. */
  changes = 0;
  private readonly phases = new Map<string | null, string>();

  follow(notes: readonly Note[]): void {
    for (const { kind, pair, data } of notes) {
      if (kind !== 'phase') continue;
      expect(data.from).toBe(this.of(pair));
      expect(NEXT_PHASES[String(data.from)]).toContain(data.to);
      this.phases.set(pair, String(data.to));
      this.changes += 1;
    }
  }

  /** Returns the current phase of a pair. */
  of(pair: string | null): string {
    return this.phases.get(pair) ?? 'idle';
  }
}
