import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import type { Logger } from '../log.ts';
import { createClaimLoop } from './claimLoop.ts';
import { createLeases, keyOf, type Lease } from './leases.ts';
import { openPresence, type Presence, type WorkerKind } from './presence.ts';
import { type ClaimedRun, type DeadRun, openRunQueue, type Run, type RunQueue } from './runQueue.ts';

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
  readonly maxBots: number;
}

const RETRY_MS = 500;
const REFRESH_MS = 2_000;
/** A worker passes on one in this many of its excess bots per refresh, because a moved bot misses a second of market data. */
const PASS_ON_PART = 8;
/** Longest wait for a claim that is pending when the worker stops. */
const STOP_MS = 300;
/** An offer is not repeated within this time, because the run may be waiting for a worker with room. */
const OFFER_AGAIN_MS = 15_000;

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
  const leases = createLeases(log, closing.signal);
  const offered = new Map<string, number>();
  let fetching: Promise<void> = Promise.resolve();
  let share = Number.POSITIVE_INFINITY;
  let freeing = false;
  const claimLoop = createClaimLoop({
    ...{ log, leases, maxBots: config.maxBots, closing: closing.signal },
    share: () => share,
    onClaimed: accept,
  });
  const opening = open();
  opening
    .then(({ presence, queue }) => {
      fetching = claimLoop.run(presence, queue);
      return Promise.all([fetching, refreshLoop(presence, queue), leases.renewUntilClosed(queue)]);
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

  function accept(queue: RunQueue, run: ClaimedRun): void {
    const lease = leases.add(queue, run);
    offered.delete(keyOf(run));
    holder.take(lease);
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
    const fleetStatus = await presence.refresh(leases.list().map(({ bot }) => bot));
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
    const tooMany = leases.count() - share;
    if (tooMany < 2) return;
    for (const lease of leases.list().slice(-Math.ceil(tooMany / PASS_ON_PART))) holder.passOn(lease);
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
    claimLoop.stop();
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
      await Promise.all(leases.list().map((lease) => lease.release().catch(() => {})));
      closing.abort();
      const opened = await opening.catch(() => null);
      // Does not wait for pending calls, because BullMQ never settles calls that are made while it closes.
      await opened?.queue.close().catch(() => {});
      opened?.presence.close();
    },
  };
}
