import type { LiveState } from '@heron/engine/live/liveState.ts';
import { incomeKey } from '@heron/engine/live/ownIncomes.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import { exact, type Quote } from '@heron/engine/money/units.ts';

/** Incomes of a snapshot: those to book now, and those that the next snapshot reads again. */
export interface SnapshotIncomes {
  readonly incomes: readonly OwnIncome[];
  readonly later: readonly OwnIncome[];
}

export function isBooked(state: LiveState, income: OwnIncome): boolean {
  return state.applied[incomeKey(income)] === true;
}

/** Moves the incomes of missed pairs to `later`, because only the fills show what was held at their time. */
export function withoutMissed(
  state: LiveState,
  { incomes, later }: SnapshotIncomes,
  missed: ReadonlySet<string>,
): SnapshotIncomes {
  const waits = (income: OwnIncome) => missed.has(income.pair) && !isBooked(state, income);
  return {
    incomes: incomes.filter((income) => !waits(income)),
    later: [...later, ...incomes.filter(waits)],
  };
}

/** Returns the cash without incomes that are booked later. The first snapshot takes all cash as the starting capital. */
export function cashWithout(state: LiveState, later: readonly OwnIncome[], cash: Quote): Quote {
  return state.opened ? later.reduce((left, { amount }) => exact(left - amount), cash) : cash;
}
