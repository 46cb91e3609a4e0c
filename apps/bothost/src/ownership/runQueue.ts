import type { IQueueBackend, Job, PostgresQueueBackend } from 'bullmq';
import { type Moment, moment } from './moment.ts';

/** A run of a bot, from its start to its stop. The queue contains it for all of that time. */
export interface Run {
  readonly bot: string;
  /** Counts the starts of the bot. */
  readonly run: number;
}

/** A run that this worker has claimed, under a lock that must be renewed. */
export interface ClaimedRun extends Run {
  /** Time at which the lock was granted. */
  readonly lockedAt: Moment;
}

/** A run of a worker that is known to be dead. */
export interface DeadRun extends Run {
  readonly worker: number;
}

/** The queue of all runs of one kind of bots, shared by every worker that can run them. */
export interface RunQueue {
  /** Adds runs to the queue. A run that the queue already contains keeps its place. */
  offer(runs: readonly Run[]): Promise<void>;
  /** Claims the next waiting run; null when there is none. @param wait whether to wait some seconds for a run */
  claim(wait: boolean): Promise<ClaimedRun | null>;
  /** Renews the locks of `runs`. @returns the runs whose locks are lost */
  renew(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]>;
  /** Releases the run, so that another worker can claim it at once. */
  release(run: ClaimedRun): Promise<void>;
  /** Ends the run and removes it from the queue. */
  end(run: ClaimedRun): Promise<void>;
  /** Releases those of `runs` that dead workers hold, so that others can claim them at once. */
  free(runs: readonly DeadRun[]): Promise<void>;
  /** Ends a waiting `claim` without a run. Must only be called when nothing more will be claimed. */
  wake(): Promise<void>;
  close(): Promise<void>;
}

/** A worker that does not renew its lock for this time loses the run. */
export const LOCK_MS = 10_000;
/** Interval at which one of the workers checks for expired locks. The second check frees a run. */
const STALLED_MS = 2_000;
/** Longest wait of `claim` for a run. */
const WAIT_SECONDS = 5;
/** A run may be taken over any number of times. Both backends support no larger number. */
const MAX_STALLS = 2_147_483_647;
/** Connections to PostgreSQL beside the blocking one. A call that gets no connection within five seconds fails. */
const CONNECTIONS = 4;
/** Number of runs of dead workers that are freed at once. The other connections claim and renew runs meanwhile. */
const FREES_AT_ONCE = CONNECTIONS / 2;
/** With this token BullMQ does not check the lock. */
const ANY_TOKEN = '0';

/**
 * Opens the queue on PostgreSQL, or on Redis when the address is `redis://…` or `rediss://…`.
 *
 * @param name name of the queue, without `:`
 * @param worker number of this worker, by which others find its runs when it is dead
 * @param onError is called with faults that no call reports
 * @throws when the server cannot be reached; all connections are closed then
 */
export async function openRunQueue(
  url: string,
  name: string,
  worker: number,
  onError: (error: unknown) => void,
): Promise<RunQueue> {
  // Imported here, because the worker must listen before it claims bots.
  const { Job, Queue, Worker, createPostgresBackend, createRedisBackend } = await import('bullmq');
  const options = {
    name: String(worker),
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: MAX_STALLS,
    drainDelay: WAIT_SECONDS,
  };
  const blocking = { withBlockingConnection: true };
  const backend: IQueueBackend = /^rediss?:/.test(url)
    ? createRedisBackend(name, { ...options, connection: { url, maxRetriesPerRequest: null } }, blocking)
    : guarded(createPostgresBackend(name, { ...options, connection: postgres(url) }, blocking));
  const shared = () => backend;
  // Has no processor: this module claims runs and renews locks itself, and therefore knows until when a lock is valid.
  const taker = new Worker<object, null, string, IQueueBackend>(name, null, { ...options, connection: {} }, shared);
  taker.on('error', onError);
  try {
    await taker.waitUntilReady();
  } catch (error) {
    await taker.close(true).catch(() => {});
    throw error;
  }
  const queue = new Queue<object, null, string, object, null, string, IQueueBackend>(name, { connection: {} }, shared);
  queue.on('error', onError);
  await taker.startStalledCheckTimer();
  const jobs = new WeakMap<ClaimedRun, Job>();
  let taken = 0;
  let closed = false;

  const jobOf = (run: ClaimedRun): Job => {
    const job = jobs.get(run);
    if (job === undefined) throw new TypeError('a run that was not taken from this queue');
    return job;
  };
  const listenAgain = async () => {
    await backend.disconnectBlocking(false);
    if (!closed) await backend.reconnectBlocking();
  };
  const tokenOf = (run: ClaimedRun): string => jobOf(run).token ?? '';

  return {
    async offer(runs) {
      if (runs.length === 0) return;
      await queue.addBulk(
        runs.map((run) => ({
          name: 'run',
          data: {},
          opts: { jobId: idOf(run), removeOnComplete: true, removeOnFail: true },
        })),
      );
    },
    async claim(wait) {
      taken += 1;
      // After a fault BullMQ may wait up to an hour for a notification that the server sent while it was disconnected.
      const overdue = setTimeout(() => void listenAgain(), (WAIT_SECONDS + 1) * 1_000);
      const job = await taker.getNextJob(`${worker}.${taken}`, { block: wait }).finally(() => clearTimeout(overdue));
      if (job === undefined) return null;
      if (closed) {
        // The claim succeeded while the queue was closing.
        await job.moveToWait(job.token);
        return null;
      }
      const age = Math.max(0, Date.now() - (job.processedOn ?? 0));
      const run: ClaimedRun = { ...runOf(job.id ?? ''), lockedAt: moment(Math.min(age, LOCK_MS)) };
      jobs.set(run, job);
      return run;
    },
    async renew(runs) {
      if (runs.length === 0) return [];
      const ids = runs.map(idOf);
      const gone = new Set(await taker.extendJobLocks(ids, runs.map(tokenOf), LOCK_MS));
      return runs.filter((run) => gone.has(idOf(run)));
    },
    async release(run) {
      await jobOf(run).moveToWait(tokenOf(run));
    },
    async end(run) {
      await jobOf(run).moveToCompleted(null, tokenOf(run), false);
    },
    async free(runs) {
      if (runs.length === 0) return;
      const taken = new Set(await queue.getRanges(['active'], 0, -1));
      const rest = runs.filter((run) => taken.has(idOf(run))).values();
      const freeSome = async () => {
        for (const run of rest) {
          if (closed) return;
          const job = await Job.fromId(queue, idOf(run));
          // Another worker may have freed the run, and a third one claimed it, a moment ago.
          if (job?.processedBy === String(run.worker)) await job.moveToWait(ANY_TOKEN);
        }
      };
      await Promise.all(Array.from({ length: FREES_AT_ONCE }, freeSome));
    },
    wake: () => backend.disconnectBlocking(false),
    async close() {
      closed = true;
      const closing = taker.close(true);
      // Ends a waiting `claim`.
      await taker.disconnect().catch(() => {});
      await closing;
    },
  };
}

/**
 * Adds an error listener to pooled connections. BullMQ migrates its tables on a connection without one, so a lost connection
 * would end the process. BullMQ handles errors of its blocking connection itself.
 */
function guarded(backend: PostgresQueueBackend): PostgresQueueBackend {
  backend.connection.pool.on('connect', (client) => client.on('error', () => {}));
  return backend;
}

function postgres(url: string) {
  return {
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    migrate: true,
  };
}

function idOf({ bot, run }: Run): string {
  return `${bot}-${run}`;
}

function runOf(id: string): Run {
  const [bot = '', run] = id.split('-');
  return { bot, run: Number(run) };
}
