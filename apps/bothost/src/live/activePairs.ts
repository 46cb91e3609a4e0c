import type { LiveState } from '@heron/engine/live/liveState.ts';
import { isBusy } from '@heron/engine/state/pairActivity.ts';
import { INCOMES_LAG_MS } from './readAccount.ts';

/** One in this many snapshots reads the fills of all pairs. */
const FULL_SYNC_INTERVAL = 10;

/** Finds the pairs whose fills an account snapshot must read. */
export interface ActivePairs {
  /** Records that a request for a pair was sent. */
  add(pair: string): void;
  /**
   * Returns the pairs of the next snapshot: those with a position or an order now, since the last snapshot, or at it. In
   * regular intervals it returns all pairs.
   *
   * @param venueTime time of the venue, in ms; null on spot
   */
  next(venueTime: number | null): ActivePairSet;
  /** Counts a snapshot that succeeded. */
  onSnapshot(): void;
}

/** The pairs of one snapshot. */
export interface ActivePairSet {
  readonly pairs: ReadonlySet<string>;
  /** Returns the pairs outside this set for which a request was sent since then: the snapshot lacks their newest fills. */
  missed(): ReadonlySet<string>;
  /** Makes the next snapshot read them again, because this one failed. */
  restore(): void;
}

export function createActivePairs(state: LiveState): ActivePairs {
  /** Pairs with a position or an order at the last snapshot, or since. */
  let recent = new Set<string>();
  let snapshots = 0;
  return {
    add: (pair) => void recent.add(pair),
    next(venueTime) {
      const before = recent;
      const { pairs: all } = state.bot;
      const busy = all.filter((pair) => isBusy(pair) || pair.holding.quantity > 0).map(({ pair }) => pair);
      const ordered = state.orders.map(({ pair }) => pair);
      const regular = snapshots % FULL_SYNC_INTERVAL === 0 ? all.map(({ pair }) => pair) : [];
      // Funding and fees of a closed position may arrive later; its fills show which bot they belong to.
      const since = (venueTime ?? Number.POSITIVE_INFINITY) - INCOMES_LAG_MS;
      const closed = all.map(({ pair }) => pair).filter((pair) => (state.flatSince[pair] ?? 0) > since);
      const pairs = new Set([...regular, ...busy, ...ordered, ...closed, ...before]);
      recent = new Set([...busy, ...ordered]);
      return {
        pairs,
        missed: () => new Set([...recent].filter((pair) => !pairs.has(pair))),
        restore() {
          for (const pair of before) recent.add(pair);
        },
      };
    },
    onSnapshot() {
      snapshots += 1;
    },
  };
}
