import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { OptionChange } from '@heron/engine/bot/commands/changeOptions.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import type { OrderPreview, PreviewedOrder } from '@heron/engine/preview/previewOrder.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import { type Ownership, type OwnershipConfig, startOwnership } from '../ownership/ownership.ts';
import type { BotRunner } from '../runner/botRunner.ts';
import { deletedOf, planOf, wantBot, wantedStopped } from '../store/botPlan.ts';
import { botsToHalt } from '../store/halts.ts';
import { isActive } from '../store/status.ts';
import { FleetBots, type FleetDeps, isRunner } from './fleetBots.ts';
import type { FleetKind } from './fleetKind.ts';
import { createKillSwitch, type HaltAnswer, type KillSwitch } from './killSwitch.ts';
import { createLeaseHandler, type LeaseHandler } from './leaseHandler.ts';
import { readStoredBot, storedCandles, storedDetail } from './storedBot.ts';

/** Changed options and parameters; all others stay. */
export interface SetupChange {
  readonly options: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** A repeated change acts once, and gets the first answer. */
  readonly requestId?: string;
}

/** Result of a change: the bot and when each change takes effect, or every fault. */
export type ChangeAnswer =
  | { readonly ok: true; readonly bot: BotDetail; readonly changes: readonly OptionChange[] }
  | { readonly ok: false; readonly faults: readonly OptionFault[] };

/** Result of setting a price exit. */
export type SetExitAnswer =
  | { readonly ok: true; readonly bot: BotDetail }
  | { readonly ok: false; readonly gate: string };

/** The address of the fleet's worker, and the queue of its bots. */
export type FleetConfig = Omit<OwnershipConfig, 'mode'>;

/** Interval at which stops and halts that this worker has missed are read. */
const RECONCILE_MS = 5_000;
/** A start or a stop waits at most this time for another worker that runs the bot. */
const ELSEWHERE_MS = 4_000;
const POLL_MS = 50;

/** The bots of one worker. */
export interface Fleet {
  /** Does nothing to a bot that runs. */
  start(id: string): Promise<BotDetail>;
  /** Resolves when its orders are cancelled and it is saved. Does nothing to a bot that does not run. */
  stop(id: string): Promise<BotDetail>;
  /** Shows the new name of a bot that runs here, which its row in the database has. */
  rename(id: string): Promise<void>;
  /**
   * Stops a bot once it has no position: `close` closes all at market. Does nothing to a bot that does not run.
   *
   * @throws CallError `bot_unreadable`
   */
  drain(id: string, how: 'drain' | 'close'): Promise<BotDetail>;
  /** Resets the paper account of a bot, which may run. @throws CallError `reset_not_paper`, `reset_not_flat`, `bot_unreadable` */
  resetPaper(id: string): Promise<BotDetail>;
  order(id: string, command: Extract<Command, { requestId: string }>): Promise<CommandResult>;
  /** Returns what an order would do now; null when the bot does not have the pair. Nothing changes. */
  previewOrder(id: string, order: PreviewedOrder): OrderPreview | null;
  /** Sets a price exit of a position. */
  setExit(id: string, command: Extract<Command, { type: 'set_exit' }>): Promise<SetExitAnswer>;
  /** @throws CallError `exit_gone` when the position has no such price exit */
  removeExit(id: string, pair: string, exit: number): Promise<BotDetail>;
  /** @throws CallError `order_gone` when the bot has no such order that can be cancelled */
  cancelOrder(id: string, clientOrderId: string): Promise<BotDetail>;
  /** Changes the options of a bot, which may run. A rejected change has no effect. @throws CallError `bot_unreadable` */
  change(id: string, given: SetupChange): Promise<ChangeAnswer>;
  /**
   * Lets a paused pair enter again, at once or when the bot runs again.
   *
   * @throws CallError `pair_not_watched`, `pair_not_paused`, `bot_unreadable`
   */
  resume(id: string, pair: string): Promise<BotDetail>;
  /** Executes the kill switch that `wantHalt` has recorded. @returns whether the exchange has confirmed it */
  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer>;
  /** Returns a bot that runs; null for others, whose saved state is complete. */
  detail(id: string): Promise<BotDetail | null>;
  candles(id: string, pair: string): Promise<CandleHistory>;
  close(): Promise<void>;
}

/**
 * Runs the bots of a venue for which `ownership/` has acquired a lease. A bot without a lease is only opened for a short
 * operation, while it does not run.
 */
export function startFleet(config: FleetConfig, deps: FleetDeps, kind: FleetKind): Fleet {
  return new WorkerFleet(config, deps, kind);
}

class WorkerFleet implements Fleet {
  readonly #deps: FleetDeps;
  readonly #bots: FleetBots;
  readonly #kill: KillSwitch;
  readonly #leaseHandler: LeaseHandler;
  readonly #ownership: Ownership;
  readonly #reconcileTimer: NodeJS.Timeout;

  constructor(config: FleetConfig, deps: FleetDeps, kind: FleetKind) {
    const { database, log, now } = deps;
    const worker = () => this.#ownership.worker();
    this.#deps = deps;
    this.#bots = new FleetBots(config.venue, kind, deps, worker);
    this.#kill = createKillSwitch({
      ...{ database, log, now },
      reach: (id) => this.#bots.reach(id),
      offer: async (id) => {
        const plan = await planOf(database, id);
        if (plan !== null) await this.#ownership.offer({ bot: id, run: plan.run });
      },
      savedDetail: (id) => storedDetail(database, id, now()),
      sweep: async (id) => kind.sweep((await readStoredBot(database, id)).row),
    });
    this.#leaseHandler = createLeaseHandler({ database, log, bots: this.#bots, kill: this.#kill, worker });
    this.#ownership = startOwnership({ ...config, mode: kind.mode }, database, log, this.#leaseHandler);
    this.#reconcileTimer = setInterval(() => void this.#reconcile(), RECONCILE_MS);
  }

  async start(id: string): Promise<BotDetail> {
    const run = await wantBot(this.#deps.database, id, 'running');
    if (this.#bots.leases.get(id)?.run !== run) {
      await this.#ownership.offer({ bot: id, run });
      return this.#awaitElsewhere(id, ({ status }) => isActive(status) || status === 'error');
    }
    return this.#bots.mutex.run(id, async () => {
      const runner = await this.#bots.runnerOf(id);
      if (!isRunner(runner)) return runner;
      await runner.command({ type: 'start' });
      return runner.detail();
    });
  }

  async stop(id: string): Promise<BotDetail> {
    const { database } = this.#deps;
    const run = await wantBot(database, id, 'stopped');
    if (!this.#bots.leases.has(id)) {
      const plan = await planOf(database, id);
      // A bot without a worker must be claimed before it can be stopped.
      if (plan !== null && isActive(plan.status)) await this.#ownership.offer({ bot: id, run });
      return this.#awaitElsewhere(id, ({ status }) => !isActive(status));
    }
    return this.#bots.mutex.run(id, async () => {
      const lease = this.#bots.leases.get(id);
      const runner = await this.#bots.runnerOf(id);
      const detail = isRunner(runner) ? await this.#bots.stop(runner) : runner;
      await lease?.end();
      return detail;
    });
  }

  rename(id: string): Promise<void> {
    // A bot that is being taken over, or renamed once more, gets the newest name.
    return this.#bots.mutex.run(id, async () => {
      const { row } = await readStoredBot(this.#deps.database, id);
      this.#bots.runners.get(id)?.rename(row.name);
    });
  }

  drain(id: string, how: 'drain' | 'close'): Promise<BotDetail> {
    return this.#operate(id, async (runner) => {
      await runner.command({ type: how });
      return runner.detail();
    });
  }

  resetPaper(id: string): Promise<BotDetail> {
    return this.#operate(id, async (runner) => {
      const result = await runner.command({ type: 'reset' });
      if (result === null || result.ok) return runner.detail();
      throw new CallError(result.inputs.flag === 'not_flat' ? 'reset_not_flat' : 'reset_not_paper');
    });
  }

  async order(id: string, command: Extract<Command, { requestId: string }>): Promise<CommandResult> {
    const runner = this.#bots.running(id);
    // A command always has a result; only a save has none.
    return (await runner.command(command)) as CommandResult;
  }

  previewOrder(id: string, order: PreviewedOrder): OrderPreview | null {
    return this.#bots.running(id).previewOrder(order);
  }

  async setExit(id: string, command: Extract<Command, { type: 'set_exit' }>): Promise<SetExitAnswer> {
    const runner = this.#bots.running(id);
    const result = (await runner.command(command)) as CommandResult;
    return result.ok ? { ok: true, bot: await runner.detail() } : { ok: false, gate: result.gate };
  }

  async removeExit(id: string, pair: string, exit: number): Promise<BotDetail> {
    const runner = this.#bots.running(id);
    const result = await runner.command({ type: 'remove_exit', pair, exit });
    if (result?.ok !== true) throw new CallError('exit_gone');
    return runner.detail();
  }

  async cancelOrder(id: string, clientOrderId: string): Promise<BotDetail> {
    const runner = this.#bots.running(id);
    const result = await runner.command({ type: 'cancel', clientOrderId });
    if (result?.ok !== true) throw new CallError('order_gone');
    return runner.detail();
  }

  change(id: string, given: SetupChange): Promise<ChangeAnswer> {
    const change = async (runner: BotRunner): Promise<ChangeAnswer> => {
      const result = await runner.command({ type: 'change', ...given });
      if (result !== null && !result.ok) return { ok: false, faults: 'faults' in result ? result.faults : [] };
      return { ok: true, bot: await runner.detail(), changes: result?.changes ?? [] };
    };
    return this.#operate(id, change);
  }

  resume(id: string, pair: string): Promise<BotDetail> {
    return this.#operate(id, async (runner) => {
      const result = await runner.command({ type: 'resume', pair });
      if (result === null || result.ok) return runner.detail();
      throw new CallError(result.inputs.flag === 'not_paused' ? 'pair_not_paused' : 'pair_not_watched', { pair });
    });
  }

  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer> {
    return this.#kill.halt(id, pair, close);
  }

  async detail(id: string): Promise<BotDetail | null> {
    return (await this.#bots.runners.get(id)?.detail()) ?? null;
  }

  async candles(id: string, pair: string): Promise<CandleHistory> {
    const running = this.#bots.runners.get(id)?.candles(pair);
    if (running && running.time.length > 0) return running;
    return storedCandles(id, pair, this.#deps);
  }

  async close(): Promise<void> {
    this.#bots.closed = true;
    clearInterval(this.#reconcileTimer);
    await this.#ownership.stopClaiming();
    await Promise.all([...this.#bots.leases.values()].map((lease) => this.#leaseHandler.release(lease)));
    await Promise.all([...this.#bots.runners.values()].map((runner) => runner.close()));
    await this.#ownership.close();
  }

  #operate<Answer>(id: string, action: (runner: BotRunner) => Promise<Answer>): Promise<Answer> {
    return this.#bots.mutex.run(id, () => this.#bots.operate(id, action));
  }

  /** Returns a bot once `done`, on this worker or another, or as it is after {@link ELSEWHERE_MS}. */
  async #awaitElsewhere(id: string, done: (bot: { status: string }) => boolean): Promise<BotDetail> {
    const { database, now } = this.#deps;
    const deadline = performance.now() + ELSEWHERE_MS;
    for (;;) {
      const plan = await planOf(database, id);
      if (plan === null) throw new CallError('not_found');
      if (done(plan) || this.#bots.closed || performance.now() > deadline) break;
      await delay(POLL_MS);
    }
    return (await this.detail(id)) ?? storedDetail(database, id, now());
  }

  /** Executes stops and halts that were recorded while this worker could not be reached. Never rejects: the next round retries. */
  async #reconcile(): Promise<void> {
    const { database, log } = this.#deps;
    const { leases, mutex, runners } = this.#bots;
    // A bot that cannot be stopped must not prevent the stop of others.
    const each = async (ids: readonly string[], act: (id: string) => Promise<unknown>) => {
      for (const bot of ids) {
        await act(bot).catch((error: unknown) => log.warn({ err: error, bot }, 'a bot could not be stopped'));
      }
    };
    try {
      await each(await botsToHalt(database, new Set(leases.keys())), this.#kill.haltRunning);
      const idle = [...leases.keys()].filter((id) => !mutex.isLocked(id) && runners.get(id)?.selling() !== true);
      // A bot with a fault may be deleted while it has a lease.
      await each(await deletedOf(database, idle), async (id) => leases.get(id)?.end());
      await each(await wantedStopped(database, idle), (id) => this.stop(id));
    } catch (error) {
      log.warn({ err: error }, 'the bots that should be stopped could not be read');
    }
  }
}
