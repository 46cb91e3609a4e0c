import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Logger } from '../log.ts';
import type { Leases } from './leases.ts';
import type { Presence } from './presence.ts';
import type { ClaimedRun, RunQueue } from './runQueue.ts';

/** Claims runs from the queue while the worker has room. */
export interface ClaimLoop {
  /** Claims runs until `stop`. Rejects when the worker closes. */
  run(presence: Presence, queue: RunQueue): Promise<void>;
  /** Claims no more runs. Runs that a pending claim still returns are released. */
  stop(): void;
}

export interface ClaimLoopDeps {
  readonly log: Logger;
  readonly leases: Leases;
  /** Maximum number of runs of this worker. */
  readonly maxBots: number;
  /** Aborts when the worker closes. */
  readonly closing: AbortSignal;
  /** Returns this worker's share of all bots. */
  share(): number;
  /** Receives each run that was claimed. */
  onClaimed(queue: RunQueue, run: ClaimedRun): void;
}

const RETRY_MS = 500;
/** A worker with more than its share leaves new runs to others for this time. */
const FAIR_SHARE_DELAY_MS = 1_000;
/** Number of claims that run at once; each is one round trip to the queue. */
const CLAIMS_AT_ONCE = 4;

/** Result of the last claims: `more` when each got a run, so that the queue may have more. */
type ClaimResult = 'more' | 'empty' | 'failed';

export function createClaimLoop({ log, leases, maxBots, closing, share, onClaimed }: ClaimLoopDeps): ClaimLoop {
  let claiming = true;

  const pause = (ms: number) => delay(ms, undefined, { signal: closing });

  async function run(presence: Presence, queue: RunQueue): Promise<void> {
    let last: ClaimResult = 'empty';
    while (claiming) {
      const atFairShare = leases.count() >= share();
      if (atFairShare || !canClaim(presence)) await pause(FAIR_SHARE_DELAY_MS);
      if (canClaim(presence)) last = await claimNext(presence, queue, atFairShare, last);
    }
  }

  /** Claims the next runs; after a fault it waits. Never rejects unless the worker closes. */
  async function claimNext(
    presence: Presence,
    queue: RunQueue,
    atFairShare: boolean,
    last: ClaimResult,
  ): Promise<ClaimResult> {
    try {
      const count = last === 'more' ? maxClaims(atFairShare) : 1;
      // After a fault the claim does not block, because BullMQ hides faults from blocking calls.
      const wait = last === 'empty' && !atFairShare;
      return (await claim(presence, queue, count, wait)) ? 'more' : 'empty';
    } catch (error) {
      if (!claiming) return 'failed';
      if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'no bot could be taken from the queue');
      await pause(RETRY_MS);
      return 'failed';
    }
  }

  function canClaim(presence: Presence): boolean {
    return leases.count() < maxBots && presence.isVisible();
  }

  function maxClaims(atFairShare: boolean): number {
    const room = Math.max(1, Math.min(maxBots, atFairShare ? 0 : share()) - leases.count());
    return Math.min(room, CLAIMS_AT_ONCE);
  }

  /**
   * Claims several runs at once.
   *
   * @param wait whether to wait some seconds for a run
   * @returns whether the queue had as many runs
   */
  async function claim(presence: Presence, queue: RunQueue, count: number, wait: boolean): Promise<boolean> {
    const claims = Array.from({ length: count }, () => claimOne(presence, queue, wait));
    // Waits for all claims, because every claimed run must be accepted or released.
    const results = await Promise.allSettled(claims);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return results.every((result) => result.status === 'fulfilled' && result.value);
  }

  /** @returns whether the queue had a run */
  async function claimOne(presence: Presence, queue: RunQueue, wait: boolean): Promise<boolean> {
    const claimed = await queue.claim(wait);
    if (claimed === null) return false;
    // While this worker is not visible, others consider it dead and would free the run.
    if (claiming && presence.isVisible()) onClaimed(queue, claimed);
    else await queue.release(claimed);
    return true;
  }

  return {
    run,
    stop() {
      claiming = false;
    },
  };
}
