import type { Database } from '@heron/database/connect.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';

/** Makes bots allocate their shares of an account one after another. Two bots at once would both allocate the same free cash. */
export interface AllocationLock {
  /**
   * Acquires the lock of an account. The account and the ledgers of other bots, which the caller then reads, stay valid until
   * `release`. It must be called once the bot's own share is committed.
   *
   * @param keyId a key of the account; all keys of one account share its lock
   * @param gone aborts when the caller no longer waits
   * @returns null when another process holds the lock, or the caller no longer waits
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
        // If the unlock fails, the connection is closed, which ends its locks.
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
