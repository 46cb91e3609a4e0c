import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { elapsedSince, type Moment, moment } from './moment.ts';
import { type ClaimedRun, LOCK_MS, type Run, type RunQueue } from './runQueue.ts';

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

/** The leases of a worker, whose locks it renews. */
export interface Leases {
  count(): number;
  /** Returns the leases, oldest first. */
  list(): Lease[];
  /** Adds the lease of a run that was claimed from the queue. */
  add(queue: RunQueue, run: ClaimedRun): Lease;
  /** Renews the locks in regular intervals. Rejects when the worker closes. */
  renewUntilClosed(queue: RunQueue): Promise<void>;
}

const RENEW_MS = 2_500;
const RETRY_MS = 500;
/** Safety margin before a lock expires, for the time between a clock read and the action after it. */
const MARGIN_MS = 1_000;
/** A confirmation of the lock is valid for this time. */
const CONFIRMED_MS = LOCK_MS - MARGIN_MS;

interface OwnedLease {
  readonly run: ClaimedRun;
  readonly gone: AbortController;
  readonly lease: Lease;
  /** When the newest confirmed renewal of the lock was requested. */
  confirmedAt: Moment;
}

/** @param closing aborts when the worker closes */
export function createLeases(log: Logger, closing: AbortSignal): Leases {
  const ownedLeases = new Map<string, OwnedLease>();
  let renewing: Promise<void> | null = null;

  const pause = (ms: number) => delay(ms, undefined, { signal: closing });

  function add(queue: RunQueue, run: ClaimedRun): Lease {
    const gone = new AbortController();
    const key = keyOf(run);
    const remove = (): boolean => {
      if (ownedLeases.get(key) !== entry) return false;
      ownedLeases.delete(key);
      gone.abort();
      return true;
    };
    const lease: Lease = {
      bot: run.bot,
      run: run.run,
      gone: gone.signal,
      isValid: () => elapsedSince(entry.confirmedAt) < CONFIRMED_MS && !gone.signal.aborted,
      async confirm() {
        while (!lease.isValid() && !gone.signal.aborted) {
          await renew(queue);
          if (!lease.isValid() && !gone.signal.aborted) await pause(RETRY_MS).catch(() => {});
          if (closing.aborted) return false;
        }
        return !gone.signal.aborted;
      },
      async end() {
        if (remove()) await queue.end(run);
      },
      async release() {
        if (remove()) await queue.release(run);
      },
    };
    const entry: OwnedLease = { run, gone, lease, confirmedAt: run.lockedAt };
    ownedLeases.set(key, entry);
    return lease;
  }

  async function renewUntilClosed(queue: RunQueue): Promise<void> {
    while (!closing.aborted) {
      await pause(RENEW_MS);
      while (!(await renew(queue))) await pause(RETRY_MS);
    }
  }

  /** Renews every lock, all callers at once. @returns false when it is not known whether it worked */
  async function renew(queue: RunQueue): Promise<boolean> {
    let isRenewed = true;
    renewing ??= renewAll(queue).finally(() => {
      renewing = null;
    });
    await renewing.catch((error: unknown) => {
      isRenewed = false;
      if (!closing.aborted) log.warn({ err: error }, 'the locks of bots could not be renewed');
    });
    return isRenewed;
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
      if (!gone.has(entry.run)) entry.confirmedAt = requestedAt;
      else if (ownedLeases.get(keyOf(entry.run)) === entry) lose(entry);
    }
  }

  function lose(entry: OwnedLease): void {
    ownedLeases.delete(keyOf(entry.run));
    log.warn({ bot: entry.run.bot }, 'the lock of the bot is lost');
    entry.gone.abort();
  }

  return {
    count: () => ownedLeases.size,
    list: () => [...ownedLeases.values()].map(({ lease }) => lease),
    add,
    renewUntilClosed,
  };
}

/** Returns the key of a run, unique among all starts of all bots. */
export function keyOf({ bot, run }: Run): string {
  return `${bot}-${run}`;
}
