import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@heron/database/connect.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Logger } from '../log.ts';
import type { Lease } from '../ownership/leases.ts';
import type { Holder } from '../ownership/ownership.ts';
import { takeOverRuns } from '../runner/botJournal.ts';
import type { BotRunner } from '../runner/botRunner.ts';
import { botsToHalt } from '../store/halts.ts';
import { isActive } from '../store/status.ts';
import { type FleetBots, isRunner } from './fleetBots.ts';
import type { KillSwitch } from './killSwitch.ts';

/** A bot that could not be taken over is released after this time, so that the take-over is repeated. */
const RETRY_MS = 1_000;

/** Limits of the batches in which bots are taken over. */
const BATCH = { maxItems: 64, maxConcurrent: 2, failsAnyBatch: isDatabaseUnavailable } as const;

/** Dependencies of the lease handler. */
export interface LeaseHandlerDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly bots: FleetBots;
  readonly kill: KillSwitch;
  /** Returns the number of this worker. */
  worker(): Promise<number>;
}

/** Starts and stops bots as their leases begin and end. */
export interface LeaseHandler extends Holder {
  /** Saves a bot and releases its lease, so that another worker gets it. */
  release(lease: Lease): Promise<void>;
}

export function createLeaseHandler({ database, log, bots, kill, worker }: LeaseHandlerDeps): LeaseHandler {
  const takeOver = createBatchLoader(
    async (leases: readonly Lease[]) => takeOverRuns(database, await worker(), leases),
    BATCH,
  );
  const mustHalt = createBatchLoader(async (ids: readonly string[]) => {
    const found = new Set(await botsToHalt(database, new Set(ids)));
    return ids.map((id) => found.has(id));
  }, BATCH);

  /** Starts a bot, or finishes its stop. Never rejects: a bot that cannot be taken over is released. */
  async function onLease(lease: Lease): Promise<void> {
    const { bot } = lease;
    try {
      await bots.leases.get(bot)?.end();
      bots.leases.set(bot, lease);
      lease.gone.addEventListener('abort', () => onLeaseGone(lease));
      await startOrStop(lease);
    } catch (error) {
      if (lease.gone.aborted || bots.closed) return;
      log.warn({ err: error, bot }, 'the bot could not be taken over');
      await delay(RETRY_MS);
      await release(lease);
    }
  }

  async function startOrStop(lease: Lease): Promise<void> {
    const { bot } = lease;
    const taken = await takeOver(lease);
    if (bots.closed || lease.gone.aborted) return;
    // A newer run has replaced this one, or the bot was deleted.
    if (taken === null || !bots.isOurs(taken.row)) return await lease.end();
    const stops = taken.row.wanted === 'stopped';
    const opened = await bots.open(taken);
    const runner = isRunner(opened) ? opened : null;
    if (await mustHalt(bot)) await kill.obey(bot, runner === null ? { runner } : { runner, revived: false });
    if (stops) return await stop(lease, runner);
    if (runner !== null && !isActive(runner.status())) await runner.command({ type: 'start' });
  }

  async function stop(lease: Lease, runner: BotRunner | null): Promise<void> {
    // The sale of the kill switch comes first; the bot is stopped after it.
    if (runner?.selling()) return;
    if (runner !== null) await bots.stop(runner);
    await lease.end();
  }

  /** Stops at once the runner whose lease has ended. */
  function onLeaseGone(lease: Lease): void {
    if (bots.leases.get(lease.bot) !== lease) return;
    bots.leases.delete(lease.bot);
    const runner = bots.runners.get(lease.bot);
    bots.runners.delete(lease.bot);
    if (runner?.ended() === null) runner.abandon();
  }

  async function passOn(lease: Lease): Promise<void> {
    // A bot with a fault would have it on another worker too.
    if (bots.closed || bots.leases.get(lease.bot) !== lease) return;
    if (bots.runners.get(lease.bot)?.ended() === null) await release(lease);
  }

  async function release(lease: Lease): Promise<void> {
    const runner = bots.leases.get(lease.bot) === lease ? bots.runners.get(lease.bot) : undefined;
    await runner?.close();
    await lease.release().catch((error: unknown) => {
      // The lock expires by itself.
      log.info({ err: error, bot: lease.bot }, 'the bot could not be released');
    });
  }

  return {
    take: (lease) => void bots.mutex.run(lease.bot, () => onLease(lease)),
    passOn: (lease) => void bots.mutex.run(lease.bot, () => passOn(lease)),
    release,
  };
}
