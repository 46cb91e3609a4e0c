import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import type { Logger } from '../log.ts';
import type { BotRunner } from '../runner/botRunner.ts';
import { forgetHalts, type Halt, haltsOf } from '../store/halts.ts';

/** The client's own call times out after 8 s. */
const ANSWER_TIMEOUT_MS = 6_000;
/** A cancelled order may have been filled in part; after this time the halt is repeated to sell that part. */
const REPEAT_MS = 1_000;
const POLL_MS = 20;

/** Result of the kill switch. */
export interface HaltAnswer {
  /** Whether the exchange has confirmed that no order is open, and no position if it was to be closed. */
  readonly confirmed: boolean;
  readonly bot: BotDetail;
}

/** A bot that this worker has a lease for. */
export type ReachableBot =
  /** `revived`: a fault had stopped the bot, and it was opened again only for the kill switch. */
  | { readonly runner: BotRunner; readonly revived: boolean }
  /** The saved state cannot be read, so no runner can run the bot. */
  | { readonly runner: null };

/** Dependencies of the kill switch. */
export interface KillSwitchDeps {
  readonly database: Database;
  readonly log: Logger;
  now(): number;
  /** Returns a bot of this worker; null without a lease for it. */
  reach(id: string): Promise<ReachableBot | null>;
  /** Offers the bot to all workers. */
  offer(id: string): Promise<void>;
  /** Returns the bot as its saved state shows it. */
  savedDetail(id: string): Promise<BotDetail>;
  /** Cancels its orders at the exchange without its saved state, as {@link FleetKind.sweep}. */
  sweep(id: string): Promise<boolean>;
}

/** The kill switch of one worker's bots. */
export interface KillSwitch {
  /** Executes the recorded halts of a bot, and deletes them once they are in the journal. */
  obey(id: string, bot: ReachableBot): Promise<void>;
  /** Does the same for a bot of this worker. */
  haltRunning(id: string): Promise<void>;
  /**
   * Executes the recorded halts in any state of the bot. A stopped bot is opened for as long as it takes. A bot with a fault
   * is opened with all pairs paused; if it fails again its orders are cancelled without its state. Waits some seconds for
   * the exchange to confirm; the halt continues after that.
   */
  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer>;
}

interface HaltRequest {
  readonly id: string;
  /** Null means every pair. */
  readonly pair: string | null;
  /** Positions are closed as well. */
  readonly close: boolean;
}

/** The progress of one call of `halt`. */
interface HaltProgress {
  offered: boolean;
  runner: BotRunner | null;
  /** When the halt was repeated last, in ms; 0 for never. */
  repeatedAt: number;
}

export function createKillSwitch(deps: KillSwitchDeps): KillSwitch {
  const { database, log, now } = deps;
  const obeying = new Map<string, Promise<void>>();

  /** Runs once at a time for each bot; further calls share the run. */
  function obey(id: string, bot: ReachableBot): Promise<void> {
    const running = obeying.get(id) ?? execute(id, bot).finally(() => obeying.delete(id));
    obeying.set(id, running);
    return running;
  }

  async function execute(id: string, bot: ReachableBot): Promise<void> {
    const halts = await haltsOf(database, id);
    if (halts.length === 0) return;
    if (bot.runner === null) {
      if (await sweep(id)) await forgetHalts(database, halts);
      return;
    }
    try {
      await command(bot.runner, bot.revived, halts);
    } catch (error) {
      if (bot.runner.ended() !== 'failed' || !(await sweep(id))) throw error;
    }
    await forgetHalts(database, halts);
  }

  async function command(runner: BotRunner, revived: boolean, halts: readonly Halt[]): Promise<void> {
    for (const name of runner.pairs()) {
      const halt = halts.findLast(({ pair }) => pair === null || pair === name);
      // A revived bot must not trade by itself: its other pairs are paused and keep their positions.
      if (halt !== undefined || revived) {
        await runner.command({ type: 'halt', pair: name, close: halt?.close ?? false });
      }
    }
  }

  /** Cancels the orders of a bot at the exchange. @returns whether that is confirmed */
  async function sweep(id: string): Promise<boolean> {
    return deps.sweep(id).catch((error: unknown) => {
      log.error({ err: error, bot: id }, 'the orders of a bot could not be cancelled');
      return false;
    });
  }

  async function haltRunning(id: string): Promise<void> {
    const bot = await deps.reach(id);
    if (bot !== null) await obey(id, bot);
  }

  async function halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer> {
    const request = { id, pair, close };
    const deadline = now() + ANSWER_TIMEOUT_MS;
    const progress: HaltProgress = { offered: false, runner: null, repeatedAt: 0 };
    for (;;) {
      if (!(await obeyReachable(id, progress))) {
        // Without the state of the bot its orders can be cancelled, but no position can be closed.
        return { confirmed: !close && (await sweep(id)), bot: await deps.savedDetail(id) };
      }
      const bot = (await progress.runner?.detail().catch(ignoreUnavailable)) ?? (await deps.savedDetail(id));
      const busy = busyPairs(bot, request);
      const obeyed = (await haltsOf(database, id)).length === 0;
      if (obeyed && busy.length === 0) return { confirmed: true, bot };
      if (now() > deadline) return { confirmed: false, bot };
      if (obeyed) await repeat(busy, close, progress);
      await delay(POLL_MS);
    }
  }

  /** Executes the halts if this worker has the bot, else offers it once. @returns false when only a sweep can help */
  async function obeyReachable(id: string, progress: HaltProgress): Promise<boolean> {
    if (progress.runner?.ended() === 'failed') return false;
    const bot = await deps.reach(id).catch(ignoreUnavailable);
    progress.runner = bot?.runner ?? null;
    if (bot === null) {
      if (!progress.offered) {
        progress.offered = true;
        await deps.offer(id);
      }
      return true;
    }
    await obey(id, bot).catch(ignoreUnavailable);
    return bot.runner !== null && bot.runner.ended() !== 'failed';
  }

  /** Repeats the halt for pairs whose cancelled orders were filled in part. The first call only notes the time. */
  async function repeat(busy: readonly PairView[], close: boolean, progress: HaltProgress): Promise<void> {
    const { runner, repeatedAt } = progress;
    if (runner === null || now() - repeatedAt <= REPEAT_MS) return;
    const left = repeatedAt === 0 ? [] : busy.filter(({ orders }) => orders.length === 0);
    for (const { pair } of left) await runner.command({ type: 'halt', pair, close }).catch(ignoreUnavailable);
    progress.repeatedAt = now();
  }

  return { obey, haltRunning, halt };
}

type PairView = BotDetail['pairViews'][number];

/** Returns the pairs of a halt that still have open orders, or a position that must be closed. */
function busyPairs({ pairViews }: BotDetail, { pair, close }: HaltRequest): PairView[] {
  const views = pairViews.filter((view) => pair === null || view.pair === pair);
  return views.filter(({ orders, position }) => orders.length > 0 || (close && position !== null));
}

/** Ignores that a bot is moving between workers or that the database is unavailable; the next round retries. */
function ignoreUnavailable(error: unknown): null {
  if (error instanceof CallError && error.code === 'unavailable') return null;
  throw error;
}
