import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { sql } from 'drizzle-orm';
import { ACTIVE } from '../store/status.ts';
import type { Run } from './runQueue.ts';

/** Selects the bots that a worker runs, and gives the worker's address. */
export interface WorkerKind {
  /** Identifies the bot host of the worker; any text. */
  readonly host: string;
  readonly venue: string;
  readonly mode: 'paper' | 'live';
  readonly url: string;
}

/** The state of all workers and bots of one kind, as a refresh reads it. */
export interface FleetStatus {
  /** Number of workers of this kind that refresh themselves, without dead and frozen ones. At least 1. */
  readonly workers: number;
  /** Number of bots that need a worker. */
  readonly bots: number;
  /** Runs that no living worker runs, with their last worker. */
  readonly neglected: readonly (Run & { readonly worker: number | null })[];
}

/** Makes a worker visible to all others. */
export interface Presence {
  /** Number of this worker. */
  readonly worker: number;
  /** Records that this worker is alive, and reads the fleet. @param held bots that this worker runs */
  refresh(held: readonly string[]): Promise<FleetStatus>;
  /** Whether others see this worker as alive. False while its database session is lost. */
  isVisible(): boolean;
  close(): void;
}

/** Class of the advisory locks. The number is arbitrary, but every version of Heron must use the same. */
const WORKER_LOCK = 4_837_203;
/** A worker without a refresh for this time is frozen or cut off, and gets no share of the bots. */
const UNSEEN_MS = 6_000;
/** Rows of workers that are dead for this time are deleted. */
const FORGET_MS = 86_400_000;
const RETRY_MS = 250;

type Session = Awaited<ReturnType<typeof holdLock>>;

/** Time by the database's clock, ms since 1970, because the clocks of hosts may differ. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const LIVING = `
  select objid::int from pg_locks
  where locktype = 'advisory' and classid = ${WORKER_LOCK} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;
const REFRESH_SQL = `
  with me as (update bots.workers set seen_at = ${NOW} where id = $1),
  living as (${LIVING}),
  wanted as (
    select b.id, b.run, s.worker, b.wanted = 'running' or s.status = any($4) or h.bot_id is not null as needed
    from bots.bots b join bots.snapshots s on s.bot_id = b.id
      left join (select distinct bot_id from bots.halts) h on h.bot_id = b.id
    where b.venue = $2 and b.options ->> 'mode' = $3
      and (b.wanted = 'running' or s.status = any($4) or s.status = 'error' or h.bot_id is not null)
  )
  select
    (select count(*)::int from bots.workers w
      where w.id <> $1 and w.venue = $2 and w.mode = $3 and w.id in (select * from living)
        and w.seen_at > ${NOW} - ${UNSEEN_MS}) as others,
    (select count(*)::int from wanted where needed) as bots,
    (select coalesce(json_agg(json_build_object('bot', id, 'run', run, 'worker', worker)), '[]') from wanted
      where (worker is null or worker not in (select * from living)) or (needed and worker = $1 and id <> all($5))
    ) as neglected`;

/**
 * Registers this worker. It holds an advisory lock in a session of its own as long as it lives. A free lock shows that the
 * process, or its connection to the database, has ended.
 *
 * @param signal stops waiting for the database
 */
export async function openPresence(database: Database, kind: WorkerKind, signal: AbortSignal): Promise<Presence> {
  const worker = await persist(() => register(database, kind), signal);
  let session: Session | null = null;
  let closed = false;
  await persist(hold, signal);

  async function hold(): Promise<void> {
    const held = await holdLock(database, worker);
    if (closed) return held.release(true);
    session = held;
    held.once('end', () => {
      // The database has restarted, or its connection was lost. Others consider this worker dead until it has the lock again.
      if (closed) return;
      session = null;
      held.release(true);
      persist(hold, signal).catch(() => {});
    });
  }

  return {
    worker,
    async refresh(held) {
      const { venue, mode } = kind;
      const found = await database.pool.query<{
        others: number;
        bots: number;
        neglected: FleetStatus['neglected'];
      }>(REFRESH_SQL, [worker, venue, mode, ACTIVE, held]);
      const [row] = found.rows;
      return { workers: 1 + (row?.others ?? 0), bots: row?.bots ?? 0, neglected: row?.neglected ?? [] };
    },
    isVisible: () => session !== null,
    close() {
      closed = true;
      session?.release(true);
      session = null;
    },
  };
}

/** Lists the living workers of all bot hosts, including frozen ones. */
export async function livingWorkers({ orm }: Database): Promise<(typeof table.worker.$inferSelect)[]> {
  return orm
    .select()
    .from(table.worker)
    .where(sql`${table.worker.id} in (${sql.raw(LIVING)})`);
}

async function register({ orm, pool }: Database, kind: WorkerKind): Promise<number> {
  await pool.query(`delete from bots.workers w where w.seen_at < ${NOW} - ${FORGET_MS} and w.id not in (${LIVING})`);
  const [row] = await orm
    .insert(table.worker)
    .values({ ...kind, seenAt: 0 })
    .returning({ id: table.worker.id });
  return (row as { id: number }).id;
}

/** Opens the session that holds the lock of a worker. It waits until the server has noticed that an earlier session is lost. */
async function holdLock({ pool }: Database, worker: number) {
  const session = await pool.connect();
  try {
    await session.query('select pg_advisory_lock($1, $2)', [WORKER_LOCK, worker]);
    return session;
  } catch (error) {
    session.release(true);
    throw error;
  }
}

async function persist<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
