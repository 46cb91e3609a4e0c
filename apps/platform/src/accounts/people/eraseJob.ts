import type { FastifyBaseLogger } from 'fastify';
import type { Accounts } from '../accounts.ts';
import { eraseDeleted } from './eraseDeleted.ts';
import { stopDeleted } from './stopDeleted.ts';

/** Who is due is erased within a day, also when the first tries fail: the bot host may be starting. */
const ERASE_EVERY_MS = 3_600_000;

/**
 * Stops what runs of deleted people and erases those who are due, now and from time to time. Who it is stands in the database,
 * so that nothing is forgotten when the platform does not run.
 *
 * @returns stops it, after what is under way
 */
export function startErasing(
  accounts: Pick<Accounts, 'database' | 'keys' | 'providers' | 'bots'>,
  log: FastifyBaseLogger,
  everyMs: number = ERASE_EVERY_MS,
): () => Promise<void> {
  let round = Promise.resolve();
  const next = () => {
    round = round.then(stop).then(erase);
  };

  async function stop(): Promise<void> {
    try {
      const failed = await stopDeleted(accounts);
      for (const { uid, error } of failed) log.warn({ uid, err: error }, 'bots of a deleted account may still run');
    } catch (error) {
      log.warn({ err: error }, 'bots of deleted accounts could not be looked at');
    }
  }

  async function erase(): Promise<void> {
    try {
      const { erased, failed } = await eraseDeleted(accounts);
      if (erased > 0) log.info({ erased }, 'deleted accounts were erased');
      for (const { uid, error } of failed) log.warn({ uid, err: error }, 'a deleted account could not be erased yet');
    } catch (error) {
      log.warn({ err: error }, 'deleted accounts could not be erased');
    }
  }

  next();
  const timer = setInterval(next, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
