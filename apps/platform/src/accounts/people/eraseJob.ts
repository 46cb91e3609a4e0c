import { createBackoff } from '@heron/runtime/backoff.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { eraseDeleted } from './eraseDeleted.ts';
import { stopDeleted } from './stopDeleted.ts';

/** Accounts are erased within a day after they are due, even when some rounds fail. */
const ERASE_EVERY_MS = 3_600_000;
/** Delay after a failed round, for example while the bot host starts. It doubles with each further failure. */
const FIRST_RETRY_MS = 1_000;
/** Failed rounds in a row, about half a minute, before the log level rises to a warning. */
const QUIET_FAILURES = 5;

/**
 * Stops the bots of deleted accounts and erases accounts that are due, now and at intervals. The database holds what is
 * due, so that a restart forgets nothing.
 *
 * @returns stops the job after the round in progress
 */
export function startErasureJob(
  accounts: Pick<AccountDeps, 'database' | 'keys' | 'providers' | 'bots' | 'unpairHosts' | 'log'>,
  everyMs: number = ERASE_EVERY_MS,
): () => Promise<void> {
  const { log } = accounts;
  const backoff = createBackoff({ minMs: FIRST_RETRY_MS, maxMs: everyMs });
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
    if (isDone) backoff.reset();
    if (isOver) return;
    const waitMs = isDone ? everyMs : backoff.nextMs();
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
