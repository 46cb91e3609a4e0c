import { setTimeout as delay } from 'node:timers/promises';

/** A queue of jobs for each owner. */
export interface OwnerQueue {
  /** Adds a job; it replaces one of the same owner and key that has not begun. Jobs must not throw. */
  add(owner: string, key: object, job: () => Promise<void>): void;
}

/**
 * Runs one job of each owner at a time, so that the requests of one owner delay no other owner.
 *
 * @param intervalMs minimum time from the beginning of one job of an owner to the beginning of the next
 */
export function createOwnerQueue(intervalMs: number): OwnerQueue {
  const queues = new Map<string, Map<object, () => Promise<void>>>();

  async function run(owner: string, jobs: Map<object, () => Promise<void>>): Promise<void> {
    for (const [key, job] of jobs) {
      jobs.delete(key);
      // A job that was added meanwhile is at the end of the map, and this loop reaches it.
      await Promise.all([job(), delay(intervalMs, undefined, { ref: false })]);
    }
    queues.delete(owner);
  }

  return {
    add(owner, key, job) {
      const jobs = queues.get(owner);
      if (jobs !== undefined) {
        jobs.set(key, job);
        return;
      }
      const first = new Map([[key, job]]);
      queues.set(owner, first);
      void run(owner, first);
    },
  };
}
