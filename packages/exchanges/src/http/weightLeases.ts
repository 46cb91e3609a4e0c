/**
 * Counts the weight that all processes with one IP address use of a venue's limit. Its windows follow its own clock.
 */
export interface SharedCount {
  /** Returns a name of the IP address; the name changes when the route to the venue changes. */
  address(): string;
  /** Counts `owed`, and then `size` or else `minSize` when the sum stays within `maxTotal`. */
  lease(request: LeaseRequest): Promise<WeightLease>;
}

/** A request for weight, in the venue's units. */
export interface LeaseRequest {
  readonly windowMs: number;
  /** Weight of requests that were sent before they were counted. */
  readonly owed: number;
  readonly size: number;
  readonly minSize: number;
  readonly maxTotal: number;
}

export interface WeightLease {
  /** `size`, `minSize`, or 0 when neither fits. */
  readonly granted: number;
  /** Weight counted in the window by all processes, this lease included. */
  readonly used: number;
  /** Time to the end of the window, ms. */
  readonly endsInMs: number;
}

/** Leases request weight for one process in blocks, so that a request seldom waits for the shared count. */
export interface WeightLeases {
  /**
   * Counts a request and resolves to null when it may be sent, otherwise to the start of the next window, ms. While the
   * shared count does not respond, requests may be sent too: the caller counts them for its own process.
   *
   * @param allowed sum of weights in a window up to which requests of this kind may be sent
   */
  acquire(weight: number, allowed: number, urgency: Urgency): Promise<number | null>;
}

/** An order does not wait for the shared count. */
export type Urgency = 'order' | 'other';

/** Share of the limit in one block. The rest of a block is lost at the end of its window. */
const BLOCK = 0.03;
/** Share of the limit that orders of one process may use before they are counted. Three processes stay within the limit. */
const AHEAD = 0.01;
/** Requests stop waiting for the shared count after this. */
const LEASE_TIMEOUT_MS = 250;
/** A shared count that did not respond is called again after this. */
const AWAY_MS = 5_000;

/** A part of the window's weight that this process has leased. */
interface Block {
  /** Sum of the window at the end of this block: kinds with a lower maximum do not use the block. */
  readonly end: number;
  left: number;
  /** ms */
  readonly until: number;
}

/** A request that did not fit. A larger request of a kind with the same or a lower maximum does not fit either. */
interface Refusal {
  readonly weight: number;
  readonly allowed: number;
  /** ms */
  readonly until: number;
}

/** @param time.now ms since 1970 @param time.wait resolves after so many ms */
export function openWeightLeases(
  shared: SharedCount,
  limits: { readonly weight: number; readonly windowMs: number },
  time: { now(): number; wait(ms: number): Promise<void> },
): WeightLeases {
  const { windowMs } = limits;
  const size = Math.ceil(limits.weight * BLOCK);
  let address = shared.address();
  let blocks: Block[] = [];
  let refusals: Refusal[] = [];
  /** Weight that was sent and is not counted yet, and its window. */
  let owed = { weight: 0, window: 0 };
  let requesting: Promise<void> | null = null;
  /** Null while the shared count responds; otherwise the time of the next call, ms. */
  let awayUntil: number | null = null;

  function followAddress(): void {
    if (shared.address() === address) return;
    address = shared.address();
    blocks = [];
    refusals = [];
    owed = { weight: 0, window: 0 };
  }

  function debt(): number {
    const window = Math.floor(time.now() / windowMs);
    if (window !== owed.window) owed = { weight: 0, window };
    return owed.weight;
  }

  function owe(weight: number): void {
    owed = { weight: Math.max(0, debt() + weight), window: owed.window };
  }

  /** Returns the blocks that a kind may use; blocks that the fewest other kinds may use come first. */
  function usable(allowed: number): Block[] {
    blocks = blocks.filter(({ left, until }) => left > 0 && time.now() < until);
    return blocks.filter(({ end }) => end <= allowed).sort((a, b) => b.end - a.end);
  }

  function spend(weight: number, allowed: number): boolean {
    const mine = usable(allowed);
    if (sumOf(mine) < weight) return false;
    let rest = weight;
    for (const block of mine) {
      const part = Math.min(rest, block.left);
      block.left -= part;
      rest -= part;
    }
    return true;
  }

  async function requestLease(minSize: number, allowed: number): Promise<void> {
    const requestedFor = address;
    const before = debt();
    const { window } = owed;
    const sentAt = time.now();
    const request = { windowMs, owed: before, minSize, size: Math.max(size, minSize), maxTotal: allowed };
    const { granted, used, endsInMs } = await shared.lease(request);
    awayUntil = null;
    if (requestedFor !== address) return;
    debt();
    if (owed.window === window) owe(-before);
    // Measured from the time of sending, so that no block is used after the end of its window.
    const until = sentAt + endsInMs;
    refusals = refusals.filter((refusal) => time.now() < refusal.until);
    if (granted === 0) refusals.push({ weight: minSize, allowed, until });
    else blocks.push({ end: used, left: granted, until });
  }

  function refill(minSize: number, allowed: number): Promise<void> {
    if (requesting !== null) return requesting;
    const mine = requestLease(minSize, allowed)
      .catch(() => {
        if (requesting === mine) giveUp();
      })
      .finally(() => {
        if (requesting === mine) requesting = null;
      });
    requesting = mine;
    return mine;
  }

  /** Waits for a lease, but gives up when the shared count does not respond in time. */
  async function leaseOrTimeout(refilled: Promise<void>): Promise<void> {
    const late = await Promise.race([refilled.then(() => false), time.wait(LEASE_TIMEOUT_MS).then(() => true)]);
    if (late && requesting === refilled) giveUp();
  }

  /** Stops waiting for a lease. A late response still counts. */
  function giveUp(): void {
    requesting = null;
    awayUntil = time.now() + AWAY_MS;
  }

  /** Leases a block before the last one is used up, so that the next order does not wait. */
  function refillAhead(allowed: number): void {
    if (sumOf(usable(allowed)) >= size / 2 || isAway() || refusalOf(1, allowed) !== undefined) return;
    void refill(1, allowed);
  }

  function refusalOf(weight: number, allowed: number): Refusal | undefined {
    return refusals.find((past) => time.now() < past.until && allowed <= past.allowed && weight >= past.weight);
  }

  function isAway(): boolean {
    return awayUntil !== null && time.now() < awayUntil;
  }

  return {
    async acquire(weight, allowed, urgency) {
      for (;;) {
        followAddress();
        if (spend(weight, allowed)) {
          if (urgency === 'order') refillAhead(allowed);
          return null;
        }
        const refusal = refusalOf(weight, allowed);
        if (refusal !== undefined) return refusal.until;
        if (isAway()) {
          owe(weight);
          return null;
        }
        const refilled = refill(weight, allowed);
        const canProceed = awayUntil !== null || debt() + weight <= limits.weight * AHEAD;
        if (urgency === 'order' && canProceed) {
          owe(weight);
          return null;
        }
        await leaseOrTimeout(refilled);
      }
    },
  };
}

function sumOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { left }) => sum + left, 0);
}
