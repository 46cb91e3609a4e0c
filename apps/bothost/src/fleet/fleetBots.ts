import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { createKeyedMutex, type KeyedMutex } from '@heron/runtime/keyedMutex.ts';
import type { Lease } from '../ownership/leases.ts';
import { createBotWriter, type TakenBot, takeOver, writeFault, writeUnreadable } from '../runner/botJournal.ts';
import type { BotRunner } from '../runner/botRunner.ts';
import { createEquityWriter } from '../runner/equitySamples.ts';
import { startBotRunner } from '../runner/runner.ts';
import type { RunnerDeps, RunnerLease } from '../runner/runnerDeps.ts';
import { planOf } from '../store/botPlan.ts';
import type { BotRow } from '../store/botRow.ts';
import { savedDetail } from '../store/botView.ts';
import { readSaved, type UnreadableBot } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import { completePositions } from './completePositions.ts';
import type { FleetKind } from './fleetKind.ts';
import type { ReachableBot } from './killSwitch.ts';

/** Interval at which a runner that stops is checked. */
const STOP_POLL_MS = 20;

/** Used for short operations on stopped bots. Their writes are still fenced. */
const UNLEASED: RunnerLease = { isValid: () => true, confirm: async () => true };

/** Dependencies of a fleet. */
export type FleetDeps = Omit<RunnerDeps, 'writeBot' | 'sampleEquity' | 'writeFault'> & {
  readonly database: Database;
};

/** The bots of one worker: their leases, their runners, and one action at a time on each. */
export class FleetBots {
  readonly runners = new Map<string, BotRunner>();
  readonly leases = new Map<string, Lease>();
  /** A start and a stop of one bot never run together. */
  readonly mutex: KeyedMutex = createKeyedMutex();
  /** Set when the worker stops: no bot is started after it. */
  closed = false;
  readonly #venue: string;
  readonly #kind: FleetKind;
  readonly #deps: FleetDeps;
  readonly #runnerDeps: RunnerDeps;
  /** Returns the number of this worker. */
  readonly #worker: () => Promise<number>;

  constructor(venue: string, kind: FleetKind, deps: FleetDeps, worker: () => Promise<number>) {
    const { database } = deps;
    this.#venue = venue;
    this.#kind = kind;
    this.#deps = deps;
    this.#worker = worker;
    this.#runnerDeps = {
      ...deps,
      writeBot: createBotWriter(database),
      writeFault: (row, fence, at) => writeFault(database, row, fence, at),
      sampleEquity: createEquityWriter(database),
    };
  }

  /** Whether this fleet runs such bots. */
  isOurs({ options, ...row }: BotRow): boolean {
    return row.venue === this.#venue && options.mode === this.#kind.mode;
  }

  /** Returns a runner that has not ended. @throws CallError `bot_not_running` */
  running(id: string): BotRunner {
    const runner = this.runners.get(id);
    if (!runner || runner.ended() !== null) throw new CallError('bot_not_running');
    return runner;
  }

  /** Starts a runner for a bot that was taken over. @returns a detail of the bot when its saved state cannot be read */
  async open(taken: TakenBot): Promise<BotRunner | BotDetail> {
    const { id } = taken.row;
    const lease = this.leases.get(id);
    const saved = readSaved(taken.row, taken.session);
    if (saved.unreadable !== null) return this.#openUnreadable(taken, saved);
    await completePositions(this.#deps.database, id, saved.session);
    const machine = this.#kind.machine(taken.row, saved.session);
    const runner = startBotRunner(taken, machine, this.#runnerDeps, lease ?? UNLEASED, (why) => {
      // A failed runner stays, so that its fault is shown, until the bot is started again.
      if (why === 'failed' || this.runners.get(id) !== runner) return;
      this.runners.delete(id);
      const ended = why === 'finished' ? lease?.end() : lease?.release();
      ended?.catch((error: unknown) =>
        this.#deps.log.info({ err: error, bot: id }, 'the end of the run could not be recorded'),
      );
    });
    this.runners.set(id, runner);
    return runner;
  }

  /** Records that a bot cannot be read. Other bots continue. */
  async #openUnreadable(taken: TakenBot, saved: UnreadableBot): Promise<BotDetail> {
    const { database, log, now } = this.#deps;
    const { row } = taken;
    log.error({ bot: row.id, why: saved.unreadable }, 'the saved state of the bot cannot be read; it is not changed');
    await writeUnreadable(database, taken, saved.unreadable, now());
    return savedDetail(row, saved, now());
  }

  /** Returns the runner of a bot; the bot is taken over unless it runs here. @returns a detail when it cannot be read */
  async runnerOf(id: string): Promise<BotRunner | BotDetail> {
    const current = this.runners.get(id);
    if (current && current.ended() === null) return current;
    const taken = await takeOver(this.#deps.database, id, this.leases.has(id) ? await this.#worker() : null);
    if (taken === null || !this.isOurs(taken.row)) throw new CallError('not_found');
    if (this.closed) throw new CallError('unavailable');
    return this.open(taken);
  }

  /** Returns a bot that this worker has a lease for; null without a lease. */
  async reach(id: string): Promise<ReachableBot | null> {
    if (!this.leases.has(id)) return null;
    const current = this.runners.get(id);
    if (current?.ended() === null) return { runner: current, revived: false };
    return this.mutex.run(id, async () => {
      const revived = this.runners.get(id)?.ended() === 'failed';
      const runner = await this.runnerOf(id);
      return isRunner(runner) ? { runner, revived } : { runner: null };
    });
  }

  /** Stops a bot and waits until its orders are cancelled. */
  async stop(runner: BotRunner): Promise<BotDetail> {
    await runner.command({ type: 'stop' });
    // Cancels take a moment to be confirmed; a session that was never started has nothing to end.
    while (runner.ended() === null && isActive((await runner.detail()).status)) await delay(STOP_POLL_MS);
    const detail = await runner.detail();
    if (runner.ended() === null) await runner.close();
    this.#forget(runner);
    return detail;
  }

  /**
   * Runs an action on a bot, and closes its runner again when the bot does not run.
   *
   * @throws CallError `bot_unreadable` when its saved state cannot be read
   */
  async operate<Answer>(id: string, action: (runner: BotRunner) => Promise<Answer>): Promise<Answer> {
    if (!this.leases.has(id)) {
      const plan = await planOf(this.#deps.database, id);
      // The bot is moving from one worker to another.
      if (plan?.wanted === 'running' || isActive(plan?.status ?? '')) throw new CallError('unavailable');
    }
    const runner = await this.runnerOf(id);
    if (!isRunner(runner)) throw new CallError('bot_unreadable');
    try {
      return await action(runner);
    } finally {
      if (runner.ended() === null && !isActive((await runner.detail()).status)) {
        await runner.close();
        this.#forget(runner);
      }
    }
  }

  #forget(runner: BotRunner): void {
    if (this.runners.get(runner.id) === runner) this.runners.delete(runner.id);
  }
}

/** Whether a bot could be opened. */
export function isRunner(opened: BotRunner | BotDetail): opened is BotRunner {
  return 'ended' in opened;
}
