import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import type { Logger } from '../log.ts';
import type { BotRunner } from '../runner/runner.ts';
import { forgetHalts, type Halt, haltsOf } from '../store/halts.ts';

/** The call itself is given up after 8 s. */
const ANSWER_TIMEOUT_MS = 6_000;
/** What a cancelled order still brought in is asked for once more after so long. */
const AGAIN_MS = 1_000;
const POLL_MS = 20;

/** What came of the kill switch. */
export interface HaltAnswer {
  /** The exchange has confirmed that nothing rests, and that nothing is held if it was to be sold. */
  readonly confirmed: boolean;
  readonly bot: BotDetail;
}

/** A bot that this worker has a lease for. */
export type ReachableBot =
  /** `revived`: a fault had stopped it, and it was brought back for this alone. */
  | { readonly runner: BotRunner; readonly revived: boolean }
  /** What it saved cannot be read, so that nothing can run it. */
  | { readonly runner: null };

/** What the kill switch works on. */
export interface KillSwitchDeps {
  readonly database: Database;
  readonly log: Logger;
  now(): number;
  /** Null when this worker has no lease for it. */
  atHand(id: string): Promise<ReachableBot | null>;
  /** Has some worker take the bot. */
  offer(id: string): Promise<void>;
  /** As it was saved. */
  shown(id: string): Promise<BotDetail>;
  /** Past the bot's books, as `FleetKind` has it. */
  sweep(id: string): Promise<boolean>;
}

/** The kill switch of one worker's bots. */
export interface KillSwitch {
  /** Does what is written down for a bot, and forgets it once it is in the journal. */
  obey(id: string, bot: ReachableBot): Promise<void>;
  /** The same for a bot that this worker has. */
  haltRunning(id: string): Promise<void>;
  /**
   * Brings about what is written down, whatever state the bot is in: one that rests is taken for as long as it takes, one
   * that a fault has stopped is brought back with all its pairs paused, and of one that not even then can act the orders are
   * cancelled without it. Waits some seconds for the exchange to confirm; it goes on in any case.
   */
  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer>;
}

export function createKillSwitch(deps: KillSwitchDeps): KillSwitch {
  const { database, log, now } = deps;
  const obeying = new Map<string, Promise<void>>();

  /** One at a time for each bot; whoever asks meanwhile has the same. */
  function obey(id: string, bot: ReachableBot): Promise<void> {
    const running = obeying.get(id) ?? execute(id, bot).finally(() => obeying.delete(id));
    obeying.set(id, running);
    return running;
  }

  async function execute(id: string, bot: ReachableBot): Promise<void> {
    const halts = await haltsOf(database, id);
    if (halts.length === 0) return;
    if (bot.runner === null) {
      if (await swept(id)) await forgetHalts(database, halts);
      return;
    }
    try {
      await command(bot.runner, bot.revived, halts);
    } catch (error) {
      if (bot.runner.ended() !== 'failed' || !(await swept(id))) throw error;
    }
    await forgetHalts(database, halts);
  }

  async function command(runner: BotRunner, revived: boolean, halts: readonly Halt[]): Promise<void> {
    for (const name of runner.pairs()) {
      const told = halts.findLast(({ pair }) => pair === null || pair === name);
      // A bot that met a fault does nothing more of its own; what of it was not named keeps what it holds.
      if (told !== undefined || revived) {
        await runner.command({ type: 'halt', pair: name, close: told?.close ?? false });
      }
    }
  }

  async function swept(id: string): Promise<boolean> {
    return deps.sweep(id).catch((error: unknown) => {
      log.error({ err: error, bot: id }, 'the orders of a bot could not be cancelled');
      return false;
    });
  }

  async function haltRunning(id: string): Promise<void> {
    const bot = await deps.atHand(id);
    if (bot !== null) await obey(id, bot);
  }

  async function halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer> {
    const deadline = now() + ANSWER_TIMEOUT_MS;
    let offered = false;
    let askedAt = 0;
    let runner: BotRunner | null = null;
    for (;;) {
      // Past its books its orders are cancelled, and nothing can be sold.
      const sweep = async () => ({ confirmed: !close && (await swept(id)), bot: await deps.shown(id) });
      if (runner?.ended() === 'failed') return sweep();
      const bot = await deps.atHand(id).catch(orBusy);
      runner = bot?.runner ?? null;
      if (bot === null && !offered) {
        offered = true;
        await deps.offer(id);
      }
      if (bot !== null) await obey(id, bot).catch(orBusy);
      if (bot !== null && (runner === null || runner.ended() === 'failed')) return sweep();
      const detail = (await runner?.detail().catch(orBusy)) ?? (await deps.shown(id));
      const views = detail.pairViews.filter((view) => pair === null || view.pair === pair);
      const busy = views.filter(({ orders, position }) => orders.length > 0 || (close && position !== null));
      const told = (await haltsOf(database, id)).length === 0;
      if (told && busy.length === 0) return { confirmed: true, bot: detail };
      if (now() > deadline) return { confirmed: false, bot: detail };
      if (told && runner !== null && now() - askedAt > AGAIN_MS) {
        // What a cancelled order still brought in.
        const left = askedAt === 0 ? [] : busy.filter(({ orders }) => orders.length === 0);
        for (const view of left) await runner.command({ type: 'halt', pair: view.pair, close }).catch(orBusy);
        askedAt = now();
      }
      await delay(POLL_MS);
    }
  }

  return { obey, haltRunning, halt };
}

/** A bot on its way from one worker to another, or held up by the database, is looked at again. */
function orBusy(error: unknown): null {
  if (error instanceof CallError && error.code === 'unavailable') return null;
  throw error;
}
