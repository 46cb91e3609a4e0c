import type { IQueueBackend, Job, PostgresQueueBackend } from 'bullmq';
import { type Moment, moment } from './moment.ts';

/** A run of a bot, from its start to its stop. It lies in the queue from the one to the other. */
export interface Run {
  readonly bot: string;
  /** Counts the starts of the bot. */
  readonly run: number;
}

/** A run that this worker has taken, under a lock that has to be renewed. */
export interface ClaimedRun extends Run {
  /** When its lock was given. */
  readonly lockedAt: Moment;
}

/** A run of a worker that is known to be dead. */
export interface DeadRun extends Run {
  readonly worker: number;
}

/** The queue of all runs of one kind of bots, shared by every worker that can run them. */
export interface RunQueue {
  /** Puts runs into the queue. One that is in it already stays where it is. */
  offer(runs: readonly Run[]): Promise<void>;
  /** Takes the next run that nobody has; null when there is none. @param wait some seconds for one to come */
  claim(wait: boolean): Promise<ClaimedRun | null>;
  /** Renews the locks of `runs`. @returns those that are not ours any more */
  renew(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]>;
  /** Lets another worker have the run, at once. */
  release(run: ClaimedRun): Promise<void>;
  /** The run is over. */
  end(run: ClaimedRun): Promise<void>;
  /** Takes those of `runs` that dead workers have from them, so that others can have them at once. */
  free(runs: readonly DeadRun[]): Promise<void>;
  /** Ends a `take` that waits, with nothing. To be called when no more will be taken. */
  wake(): Promise<void>;
  close(): Promise<void>;
}

/** Who does not renew its lock for so long loses the run. */
export const LOCK_MS = 10_000;
/** How often locks that have run out are looked for, by one of the workers; a run is freed at the second look. */
const STALLED_MS = 2_000;
/** How long `take` waits for a run. */
const WAIT_SECONDS = 5;
/** A run may be taken over any number of times; this is as far as both backends count. */
const MAX_STALLS = 2_147_483_647;
/** Connections to PostgreSQL beside the one that waits. Who does not get one within five seconds fails. */
const CONNECTIONS = 4;
/** So many runs of dead workers are freed at a time: others are taken and renewed meanwhile. */
const FREES_AT_ONCE = CONNECTIONS / 2;
/** Says to BullMQ that the lock is not asked for. */
const ANY_TOKEN = '0';

/**
 * Opens the queue on PostgreSQL, or on Redis when the address is `redis://…` or `rediss://…`.
 *
 * @param name of the queue, without `:`
 * @param worker number of this worker, by which others may free what it has when it is dead
 * @param onError told of faults that no call reports
 * @throws when the server cannot be reached; nothing stays open then
 */
export async function openRunQueue(
  url: string,
  name: string,
  worker: number,
  onError: (error: unknown) => void,
): Promise<RunQueue> {
  // Loaded late: the worker listens before it asks for bots.
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
  // Without a processor: runs are fetched and locks renewed by hand, so that this program knows until when a lock is proven.
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
      // After a fault BullMQ waits up to an hour for word from the server, which may have come while nobody listened.
      const overdue = setTimeout(() => void listenAgain(), (WAIT_SECONDS + 1) * 1_000);
      const job = await taker.getNextJob(`${worker}.${taken}`, { block: wait }).finally(() => clearTimeout(overdue));
      if (job === undefined) return null;
      if (closed) {
        // It came while this worker was closing.
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
          // Another worker may have freed it, and somebody taken it, a moment ago.
          if (job?.processedBy === String(run.worker)) await job.moveToWait(ANY_TOKEN);
        }
      };
      await Promise.all(Array.from({ length: FREES_AT_ONCE }, freeSome));
    },
    wake: () => backend.disconnectBlocking(false),
    async close() {
      closed = true;
      const closing = taker.close(true);
      // Wakes a `take` that waits.
      await taker.disconnect().catch(() => {});
      await closing;
    },
  };
}

/**
 * BullMQ makes its tables on a connection that nobody listens to: one that breaks then would end the process. (The one it
 * waits on it looks after itself.)
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
