import type { Database } from '@heron/database/connect.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';

/** Lets bots take their shares of an account one after another; two at once would both take the same rest. */
export interface AllocationLock {
  /**
   * Waits until it is the bot's turn. What it then reads of the account and of the other bots' books stands until `end` is
   * called, which is when its own share is committed.
   *
   * @param keyId of the account; two keys of one account are the same account
   * @param gone whoever waited does so no more
   * @returns null when a worker of another host is at it, or nobody waits any more
   */
  acquire(keyId: string, gone: AbortSignal): Promise<HeldAllocationLock | null>;
}

export interface HeldAllocationLock {
  /** Releases the lock; further calls do nothing. */
  release(): void;
}

/** Holds one lock at a time in this process, because each holds a database connection. A bot needs the lock once. */
export function openAllocationLock({ pool }: Pick<Database, 'pool'>): AllocationLock {
  /** One key for all accounts. */
  const mutex = createKeyedMutex<null>();

  async function lock(keyId: string, free: () => void): Promise<HeldAllocationLock | null> {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>(LOCK, [keyId]);
      if (rows[0]?.locked !== true) {
        client.release();
        return null;
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    let ended = false;
    return {
      release() {
        if (ended) return;
        ended = true;
        // The locks of a connection end with it.
        client.query(UNLOCK).then(
          () => client.release(),
          () => client.release(true),
        );
        free();
      },
    };
  }

  return {
    async acquire(keyId, gone) {
      const free = await mutex.acquire(null);
      if (gone.aborted) {
        free();
        return null;
      }
      const held = await lock(keyId, free).catch((error: unknown) => {
        free();
        throw error;
      });
      if (held === null) free();
      return held;
    },
  };
}

const LOCK = `
  select pg_try_advisory_lock(hashtext('heron account'), hashtext(venue || ' ' || coalesce(account, id))) as locked
  from bots.keys where id = $1`;
const UNLOCK = 'select pg_advisory_unlock_all()';
