import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Logger } from '../log.ts';
import { elapsedSince, type Moment, moment } from './moment.ts';
import { openPresence, type Presence, type WorkerKind } from './presence.ts';
import { type ClaimedRun, type DeadRun, LOCK_MS, openRunQueue, type Run, type RunQueue } from './runQueue.ts';

/** The lease of this worker for a bot. It ends when the lock of the run cannot be renewed. */
export interface Lease extends Run {
  /** Whether it is certain that no other worker runs the bot. Sends no request. */
  isValid(): boolean;
  /** Sends requests until the result is certain. @returns false when the lease is lost */
  confirm(): Promise<boolean>;
  /** Aborts when the lease is lost, released or ended. */
  readonly gone: AbortSignal;
  /** Ends the run: no worker runs the bot until it is started again. */
  end(): Promise<void>;
  /** Releases the run, so that another worker, or later this one, continues it. */
  release(): Promise<void>;
}

/** Starts the bots that a worker claims, and stops those that it passes on. */
export interface Holder {
  /** Starts a bot. Is called once for each lease. */
  take(lease: Lease): void;
  /** Saves a bot and releases its lease, because another worker has fewer bots. */
  passOn(lease: Lease): void;
}

/** Decides which bots a worker runs. */
export interface Ownership {
  /** Resolves with the number of this worker. */
  worker(): Promise<number>;
  /** Offers a run to all workers, this one included. Repeated offers of a run have no effect. */
  offer(run: Run): Promise<void>;
  /** Claims no more runs, and resolves when no claim is pending. Runs that are released after it go to other workers. */
  stopClaiming(): Promise<void>;
  /** Stops claiming and renewing. Leases that are still valid are released. */
  close(): Promise<void>;
}

/** The queue of runs, and the maximum number of runs of this worker. */
export interface OwnershipConfig extends WorkerKind {
  /** `postgresql://…` or `redis://…` */
  readonly queueUrl: string;
  readonly mostBots: number;
}

const RENEW_MS = 2_500;
const RETRY_MS = 500;
const REFRESH_MS = 2_000;
/** Safety margin before a lock expires, for the time between a clock read and the action after it. */
const MARGIN_MS = 1_000;
/** A confirmation of the lock is valid for this time. */
const PROVEN_MS = LOCK_MS - MARGIN_MS;
/** A worker with more than its share leaves new runs to others for this time. */
const FAIR_SHARE_DELAY_MS = 1_000;
/** A worker passes on one in this many of its excess bots per refresh, because a moved bot misses a second of market data. */
const PASS_ON_PART = 8;
/** Longest wait for a claim that is pending when the worker stops. */
const STOP_MS = 300;
/** Number of claims that run at once; each is one round trip to the queue. */
const CLAIMS_AT_ONCE = 4;
/** An offer is not repeated within this time, because the run may be waiting for a worker with room. */
const OFFER_AGAIN_MS = 15_000;

interface OwnedLease {
  readonly run: ClaimedRun;
  readonly gone: AbortController;
  readonly lease: Lease;
  /** When the newest confirmed renewal of the lock was requested. */
  provenAt: Moment;
}

/**
 * Claims runs from the queue and renews their locks.
 *
 * Three mechanisms prevent two workers from running the same bot:
 * - The lock: a worker that cannot renew it stops its bot.
 * - The clock: `Lease.isValid` turns false when the last renewal is too old, so a process that was frozen must confirm first.
 * - The fencing token (`takeOver` in `botJournal.ts`): the journal rejects commits of an old owner, even if the others fail.
 */
export function startOwnership(config: OwnershipConfig, database: Database, log: Logger, holder: Holder): Ownership {
  const closing = new AbortController();
  const ownedLeases = new Map<string, OwnedLease>();
  const offered = new Map<string, number>();
  let taking = true;
  let fetching: Promise<void> = Promise.resolve();
  let share = Number.POSITIVE_INFINITY;
  let renewing: Promise<void> | null = null;
  let freeing = false;
  const opening = open();
  opening
    .then(({ presence, queue }) => {
      fetching = fetchLoop(presence, queue);
      return Promise.all([fetching, refreshLoop(presence, queue), renewLoop(queue)]);
    })
    .catch((error: unknown) => {
      if (!closing.signal.aborted) log.error({ err: error }, 'the worker takes no more bots because of a fault');
    });

  async function open(): Promise<{ presence: Presence; queue: RunQueue }> {
    const presence = await openPresence(database, config, closing.signal);
    const name = `heron-${config.venue}-${config.mode}`;
    const logError = (error: unknown) => {
      if (!closing.signal.aborted) log.warn({ err: error }, 'the queue of bots');
    };
    for (;;) {
      try {
        return { presence, queue: await openRunQueue(config.queueUrl, name, presence.worker, logError) };
      } catch (error) {
        log.warn({ err: error }, 'the queue of bots cannot be reached; it is tried again');
        await pause(RETRY_MS);
      }
    }
  }

  async function fetchLoop(presence: Presence, queue: RunQueue): Promise<void> {
    let well = true;
    let more = false;
    while (taking) {
      const atFairShare = ownedLeases.size >= share;
      if (atFairShare || !canClaim(presence)) await pause(FAIR_SHARE_DELAY_MS);
      if (!canClaim(presence)) continue;
      try {
        const room = Math.max(1, Math.min(config.mostBots, atFairShare ? 0 : share) - ownedLeases.size);
        // After a fault the claim does not block, because BullMQ hides faults from blocking calls.
        const takes: Promise<boolean>[] = more
          ? Array.from({ length: Math.min(room, CLAIMS_AT_ONCE) }, () => claimOne(presence, queue, false))
          : [claimOne(presence, queue, well && !atFairShare)];
        // Waits for all claims, because every claimed run must be accepted or released.
        const results = await Promise.allSettled(takes);
        const failed = results.find((result) => result.status === 'rejected');
        if (failed) throw failed.reason;
        well = true;
        more = results.every((result) => result.status === 'fulfilled' && result.value);
      } catch (error) {
        if (!taking) return;
        well = false;
        more = false;
        if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'no bot could be taken from the queue');
        await pause(RETRY_MS);
      }
    }
  }

  /** @returns whether the queue had a run */
  async function claimOne(presence: Presence, queue: RunQueue, wait: boolean): Promise<boolean> {
    const run = await queue.claim(wait);
    if (run === null) return false;
    // While this worker is not visible, others consider it dead and would free the run.
    if (taking && presence.isVisible()) accept(queue, run);
    else await queue.release(run);
    return true;
  }

  function canClaim(presence: Presence): boolean {
    return ownedLeases.size < config.mostBots && presence.isVisible();
  }

  function accept(queue: RunQueue, run: ClaimedRun): void {
    const gone = new AbortController();
    const key = keyOf(run);
    const over = (): boolean => {
      if (ownedLeases.get(key) !== entry) return false;
      ownedLeases.delete(key);
      gone.abort();
      return true;
    };
    const lease: Lease = {
      bot: run.bot,
      run: run.run,
      gone: gone.signal,
      isValid: () => elapsedSince(entry.provenAt) < PROVEN_MS && !gone.signal.aborted,
      async confirm() {
        while (!lease.isValid() && !gone.signal.aborted) {
          await renew(queue);
          if (!lease.isValid() && !gone.signal.aborted) await pause(RETRY_MS).catch(() => {});
          if (closing.signal.aborted) return false;
        }
        return !gone.signal.aborted;
      },
      async end() {
        if (over()) await queue.end(run);
      },
      async release() {
        if (over()) await queue.release(run);
      },
    };
    const entry: OwnedLease = { run, gone, lease, provenAt: run.lockedAt };
    ownedLeases.set(key, entry);
    offered.delete(key);
    holder.take(lease);
  }

  async function renewLoop(queue: RunQueue): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(RENEW_MS);
      while (!(await renew(queue))) await pause(RETRY_MS);
    }
  }

  /** Renews every lock, all callers at once. @returns false when it is not known whether it worked */
  async function renew(queue: RunQueue): Promise<boolean> {
    let well = true;
    renewing ??= renewAll(queue).finally(() => {
      renewing = null;
    });
    await renewing.catch((error: unknown) => {
      well = false;
      if (!closing.signal.aborted) log.warn({ err: error }, 'the locks of bots could not be renewed');
    });
    return well;
  }

  async function renewAll(queue: RunQueue): Promise<void> {
    const entries = [...ownedLeases.values()];
    const requestedAt = moment();
    const answered = new AbortController();
    const tooLate = delay(LOCK_MS / 2, null, { signal: answered.signal }).catch(() => null);
    const lost = await Promise.race([queue.renew(entries.map(({ run }) => run)), tooLate]).finally(() =>
      answered.abort(),
    );
    if (lost === null) throw new Error('the queue does not answer');
    const gone = new Set(lost);
    for (const entry of entries) {
      if (!gone.has(entry.run)) entry.provenAt = requestedAt;
      else if (ownedLeases.get(keyOf(entry.run)) === entry) lose(entry);
    }
  }

  function lose(entry: OwnedLease): void {
    ownedLeases.delete(keyOf(entry.run));
    log.warn({ bot: entry.run.bot }, 'the lock of the bot is lost');
    entry.gone.abort();
  }

  async function refreshLoop(presence: Presence, queue: RunQueue): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await refresh(presence, queue);
      } catch (error) {
        if (!closing.signal.aborted) log.warn({ err: error }, 'the bots that should run could not be read');
      }
      await pause(REFRESH_MS);
    }
  }

  /** Offers neglected runs, frees runs of dead workers, and passes on bots above this worker's share. */
  async function refresh(presence: Presence, queue: RunQueue): Promise<void> {
    const bots = [...ownedLeases.values()].map(({ run }) => run.bot);
    const fleetStatus = await presence.refresh(bots);
    share = fleetStatus.workers === 1 ? Number.POSITIVE_INFINITY : Math.ceil(fleetStatus.bots / fleetStatus.workers);
    const now = performance.now();
    const fresh = fleetStatus.neglected.filter(
      (run) => now - (offered.get(keyOf(run)) ?? Number.NEGATIVE_INFINITY) > OFFER_AGAIN_MS,
    );
    await queue.offer(fresh);
    for (const run of fresh) offered.set(keyOf(run), now);
    freeDead(
      queue,
      fleetStatus.neglected.filter((run): run is DeadRun => run.worker !== null && run.worker !== presence.worker),
    );
    const tooMany = ownedLeases.size - share;
    if (tooMany < 2) return;
    const passed = [...ownedLeases.values()].slice(-Math.ceil(tooMany / PASS_ON_PART));
    for (const { lease } of passed) holder.passOn(lease);
  }

  /** Frees runs without being awaited: a thousand runs take long, and a worker that does not refresh meanwhile counts as frozen. */
  function freeDead(queue: RunQueue, runs: readonly DeadRun[]): void {
    if (freeing) return;
    freeing = true;
    queue
      .free(runs)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: error }, 'the bots of a dead worker could not be freed');
      })
      .finally(() => {
        freeing = false;
      });
  }

  async function stopClaiming(): Promise<void> {
    taking = false;
    const opened = await Promise.race([opening.catch(() => null), delay(0, null)]);
    await opened?.queue.wake().catch(() => {});
    await Promise.race([fetching.catch(() => {}), delay(STOP_MS, undefined, { ref: false })]);
  }

  function pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: closing.signal });
  }

  return {
    worker: async () => (await opening).presence.worker,
    async offer(run) {
      const { queue } = await opening;
      offered.set(keyOf(run), performance.now());
      await queue.offer([run]);
    },
    stopClaiming,
    async close() {
      await stopClaiming();
      await Promise.all([...ownedLeases.values()].map(({ lease }) => lease.release().catch(() => {})));
      closing.abort();
      const opened = await opening.catch(() => null);
      // Does not wait for pending calls, because BullMQ never settles calls that are made while it closes.
      await opened?.queue.close().catch(() => {});
      opened?.presence.close();
    },
  };
}

function keyOf({ bot, run }: Run): string {
  return `${bot}-${run}`;
}
