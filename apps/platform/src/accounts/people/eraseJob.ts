import type { AccountDeps } from '../core/accountDeps.ts';
import { eraseDeleted } from './eraseDeleted.ts';
import { stopDeleted } from './stopDeleted.ts';

/** Who is due is erased within a day, also when some rounds fail. */
const ERASE_EVERY_MS = 3_600_000;
/** After a round that failed, such as while the bot host is starting; twice as long after each further one. */
const FIRST_RETRY_MS = 1_000;
/** Rounds that fail in a row, within half a minute, before it is worth a warning. */
const QUIET_FAILURES = 5;

/**
 * Stops what runs of deleted people and erases those who are due, now and from time to time. Who it is stands in the database,
 * so that nothing is forgotten when the platform does not run. A round that failed is soon tried again.
 *
 * @returns stops it, after what is under way
 */
export function startErasureJob(
  accounts: Pick<AccountDeps, 'database' | 'keys' | 'providers' | 'bots' | 'unpairHosts' | 'log'>,
  everyMs: number = ERASE_EVERY_MS,
): () => Promise<void> {
  const { log } = accounts;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function stop(): Promise<boolean> {
    try {
      const failed = await stopDeleted(accounts);
      for (const { uid, error } of failed) report({ uid, err: error }, 'bots of a deleted account may still run');
      return failed.length === 0;
    } catch (error) {
      report({ err: error }, 'bots of deleted accounts could not be looked at');
      return false;
    }
  }

  async function erase(): Promise<boolean> {
    try {
      const { erased, failed } = await eraseDeleted(accounts);
      if (erased > 0) log.info({ erased }, 'deleted accounts were erased');
      for (const { uid, error } of failed) report({ uid, err: error }, 'a deleted account could not be erased yet');
      return failed.length === 0;
    } catch (error) {
      report({ err: error }, 'deleted accounts could not be erased');
      return false;
    }
  }

  function report(why: object, message: string): void {
    if (failures < QUIET_FAILURES) log.info(why, message);
    else log.warn(why, message);
  }

  async function doRound(): Promise<void> {
    const isStopped = await stop();
    const isDone = (await erase()) && isStopped;
    failures = isDone ? 0 : failures + 1;
    if (isOver) return;
    const waitMs = isDone ? everyMs : Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), everyMs);
    timer = setTimeout(next, waitMs).unref();
  }

  let round: Promise<void>;
  function next(): void {
    round = doRound();
  }

  round = doRound();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await round;
  };
}
