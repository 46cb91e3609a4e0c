import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { OptionChange } from '@heron/engine/bot/commands/changeOptions.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { OptionFault } from '@heron/engine/options/fault.ts';
import { createPaperSession, feedSession, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import { candleHistory } from '@heron/engine/session/sessionView.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { createKeyedMutex } from '@heron/runtime/keyedMutex.ts';
import { eq } from 'drizzle-orm';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import { type Lease, type OwnershipConfig, startOwnership } from '../ownership/ownership.ts';
import {
  createBotWriter,
  type TakenBot,
  takeOver,
  takeOverRuns,
  writeFault,
  writeUnreadable,
} from '../runner/botJournal.ts';
import { type BotMachine, createPaperMachine } from '../runner/botMachine.ts';
import { createEquityWriter } from '../runner/equitySamples.ts';
import { type BotRunner, type RunnerDeps, type RunnerLease, startBotRunner } from '../runner/runner.ts';
import { deletedOf, planOf, wantBot, wantedStopped } from '../store/botPlan.ts';
import type { BotRow } from '../store/botRow.ts';
import { savedDetail } from '../store/botView.ts';
import { botsToHalt } from '../store/halts.ts';
import { type HostedSession, readSaved, type UnreadableBot } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import { createKillSwitch, type HaltAnswer, type ReachableBot } from './killSwitch.ts';

/** Options and parameters that are to be different; what is left out stays. */
export interface SetupChange {
  readonly options: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What came of a change: the bot and when each change acts, or every fault. */
export type ChangeAnswer =
  | { readonly ok: true; readonly bot: BotDetail; readonly changes: readonly OptionChange[] }
  | { readonly ok: false; readonly faults: readonly OptionFault[] };

/** Which bots a fleet runs, and on what. */
export interface FleetKind {
  readonly mode: 'paper' | 'live';
  machine(row: BotRow, session: HostedSession): BotMachine;
  /**
   * Cancels at the exchange whatever rests of a bot, without its books.
   *
   * @returns whether nothing rests any more, and nothing can still be on its way
   */
  sweep(row: BotRow): Promise<boolean>;
}

/** Bots on the simulated exchange. */
export const PAPER: FleetKind = {
  mode: 'paper',
  machine(_row, session) {
    // A live session here would be one that nothing could trade for.
    if ('kind' in session.state) throw new TypeError('a live bot cannot run on paper');
    return createPaperMachine(session as PaperSession);
  },
  // Its orders are in its books alone.
  sweep: async () => true,
};

/** What a fleet runs on. */
export type FleetDeps = Omit<RunnerDeps, 'writeBot' | 'sampleEquity' | 'writeFault'> & {
  readonly database: Database;
};

/** Where the fleet's worker is reached and takes its bots from. */
export type FleetConfig = Omit<OwnershipConfig, 'mode'>;

/** How often it is checked that bots which should stand still do. */
const RECONCILE_MS = 5_000;
/** How long a start or a stop waits for whoever runs the bot, when that is not this worker. */
const ELSEWHERE_MS = 4_000;
const POLL_MS = 50;
/** A bot is given back after so long when it could not be taken over. */
const TRY_AGAIN_MS = 1_000;

/** Most bots that are taken over in one statement, and how many statements are under way. */
const TAKES = { maxItems: 64, maxConcurrent: 2 } as const;

/** For bots that are only looked after for a moment, while they do not run: what they write is still under the fence. */
const UNLEASED: RunnerLease = { isValid: () => true, confirm: async () => true };

/** The bots of one worker. */
export interface Fleet {
  /** Does nothing to a bot that runs. */
  start(id: string): Promise<BotDetail>;
  /** Resolves when its orders are cancelled and all is saved. Does nothing to a bot that does not run. */
  stop(id: string): Promise<BotDetail>;
  /** Ends it when it is flat. Does nothing to a bot that does not run. */
  drain(id: string): Promise<BotDetail>;
  /** Begins the paper account anew, whether the bot runs or not. @throws CallError `reset_not_paper`, `reset_not_flat` */
  resetPaper(id: string): Promise<BotDetail>;
  order(id: string, command: Extract<Command, { requestId: string }>): Promise<CommandResult>;
  /** @throws CallError `order_gone` when nothing of that name can be taken back */
  cancelOrder(id: string, clientOrderId: string): Promise<BotDetail>;
  /** Gives a bot other options, whether it runs or not. What is refused changes nothing. */
  change(id: string, given: SetupChange): Promise<ChangeAnswer>;
  /** A paused pair may enter again, at once or when the bot runs again. @throws CallError `pair_not_watched`, `pair_not_paused` */
  resume(id: string, pair: string): Promise<BotDetail>;
  /** Brings about what the kill switch was told (`wantHalt`), and says whether the exchange has confirmed it. */
  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer>;
  /** Of a bot that runs; null for others, whose saved state says all. */
  detail(id: string): Promise<BotDetail | null>;
  candles(id: string, pair: string): Promise<CandleHistory>;
  close(): Promise<void>;
}

/**
 * Runs those bots of an exchange that this worker gets. Which these are is not decided here: `ownership/` has a lease for each
 * of them, and a bot without one is only looked after for a moment, while it does not run.
 */
export function startFleet(config: FleetConfig, deps: FleetDeps, kind: FleetKind): Fleet {
  const { database, log } = deps;
  const { venue } = config;
  const runnerDeps: RunnerDeps = {
    ...deps,
    writeBot: createBotWriter(database),
    writeFault: (row, fence, at) => writeFault(database, row, fence, at),
    sampleEquity: createEquityWriter(database),
  };
  const taking = createBatchLoader(
    async (wanted: readonly Lease[]) => takeOverRuns(database, await ownership.worker(), wanted),
    { ...TAKES, failsAnyBatch: isDatabaseUnavailable },
  );
  const toHalt = createBatchLoader(
    async (ids: readonly string[]) => {
      const found = new Set(await botsToHalt(database, new Set(ids)));
      return ids.map((id) => found.has(id));
    },
    { ...TAKES, failsAnyBatch: isDatabaseUnavailable },
  );
  const runners = new Map<string, BotRunner>();
  const leases = new Map<string, Lease>();
  /** One action at a time on each bot, so that a start and a stop never run together. */
  const mutex = createKeyedMutex();
  let closed = false;
  const ownership = startOwnership({ ...config, mode: kind.mode }, database, log, {
    take: (lease) => void mutex.run(lease.bot, () => receive(lease)),
    passOn: (lease) => void mutex.run(lease.bot, () => passOn(lease)),
  });
  const reconcileTimer = setInterval(() => void reconcile(), RECONCILE_MS);
  const kill = createKillSwitch({
    database,
    log,
    now: () => deps.now(),
    atHand,
    async offer(id) {
      const plan = await planOf(database, id);
      if (plan !== null) await ownership.offer({ bot: id, run: plan.run });
    },
    shown: shownSaved,
    sweep: async (id) => kind.sweep((await storedBot(database, id)).row),
  });

  /** Begins to run a bot, or brings its stop about. Never rejects: who cannot gives it back. */
  async function receive(lease: Lease): Promise<void> {
    const { bot } = lease;
    try {
      await leases.get(bot)?.end();
      leases.set(bot, lease);
      lease.gone.addEventListener('abort', () => forget(lease));
      const taken = await taking(lease);
      if (closed || lease.gone.aborted) return;
      // A run that is not the newest is over, and there is nothing to run in a bot that was deleted.
      if (taken === null || !isOurs(taken.row)) return await lease.end();
      const { wanted } = taken.row;
      const runner = await begin(taken);
      if (await toHalt(bot)) await kill.obey(bot, 'ended' in runner ? { runner, revived: false } : { runner: null });
      if ('ended' in runner) {
        // What the kill switch sells is sold first.
        if (wanted === 'stopped' && runner.selling()) return;
        if (wanted === 'stopped') await halt(runner);
        else if (!isActive(runner.status())) await runner.command({ type: 'start' });
      }
      if (wanted === 'stopped') await lease.end();
    } catch (error) {
      if (lease.gone.aborted || closed) return;
      log.warn({ err: error, bot }, 'the bot could not be taken over');
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      await drop(lease);
    }
  }

  /** The lease has ended: what still runs under it stops at once. */
  function forget(lease: Lease): void {
    if (leases.get(lease.bot) !== lease) return;
    leases.delete(lease.bot);
    const runner = runners.get(lease.bot);
    runners.delete(lease.bot);
    if (runner?.ended() === null) runner.abandon();
  }

  async function passOn(lease: Lease): Promise<void> {
    // One that has halted would halt elsewhere too.
    if (closed || leases.get(lease.bot) !== lease || runners.get(lease.bot)?.ended() !== null) return;
    await drop(lease);
  }

  /** Saves the bot and lets another worker have it. */
  async function drop(lease: Lease): Promise<void> {
    const runner = leases.get(lease.bot) === lease ? runners.get(lease.bot) : undefined;
    await runner?.close();
    await lease.release().catch((error: unknown) => {
      // Then its lock runs out.
      log.info({ err: error, bot: lease.bot }, 'the bot could not be given back');
    });
  }

  /** The runner of a bot, which is taken over unless it runs here; a detail of it when its saved state cannot be read. */
  async function runnerOf(id: string): Promise<BotRunner | BotDetail> {
    const held = runners.get(id);
    if (held && held.ended() === null) return held;
    const taken = await takeOver(database, id, leases.has(id) ? await ownership.worker() : null);
    if (taken === null || !isOurs(taken.row)) throw new CallError('not_found');
    if (closed) throw new CallError('unavailable');
    return begin(taken);
  }

  function isOurs({ options, ...row }: BotRow): boolean {
    return row.venue === venue && options.mode === kind.mode;
  }

  async function begin(taken: TakenBot): Promise<BotRunner | BotDetail> {
    const { id } = taken.row;
    const lease = leases.get(id);
    const saved = readSaved(taken.row, taken.session);
    if (saved.unreadable !== null) return openUnreadable(taken, saved);
    const machine = kind.machine(taken.row, saved.session);
    const runner = startBotRunner(taken, machine, runnerDeps, lease ?? UNLEASED, (why) => {
      // One that met a fault stays, to be seen, until it is started again.
      if (why === 'failed' || runners.get(id) !== runner) return;
      runners.delete(id);
      const over = why === 'finished' ? lease?.end() : lease?.release();
      over?.catch((error: unknown) => log.info({ err: error, bot: id }, 'the end of the run could not be told'));
    });
    runners.set(id, runner);
    return runner;
  }

  /** Nothing can be done with it here; the others are not held up by it. */
  async function openUnreadable(taken: TakenBot, saved: UnreadableBot): Promise<BotDetail> {
    const { row } = taken;
    log.error({ bot: row.id, why: saved.unreadable }, 'what the bot saved cannot be read; it is left alone');
    await writeUnreadable(database, taken, saved.unreadable, deps.now());
    return savedDetail(row, saved, deps.now());
  }

  async function atHand(id: string): Promise<ReachableBot | null> {
    if (!leases.has(id)) return null;
    const held = runners.get(id);
    if (held?.ended() === null) return { runner: held, revived: false };
    return mutex.run(id, async () => {
      const revived = runners.get(id)?.ended() === 'failed';
      const runner = await runnerOf(id);
      return 'ended' in runner ? { runner, revived } : { runner: null };
    });
  }

  function running(id: string): BotRunner {
    const runner = runners.get(id);
    if (!runner || runner.ended() !== null) throw new CallError('bot_not_running');
    return runner;
  }

  async function start(id: string): Promise<BotDetail> {
    const run = await wantBot(database, id, 'running');
    if (leases.get(id)?.run !== run) {
      await ownership.offer({ bot: id, run });
      return awaited(id, ({ status }) => isActive(status) || status === 'error');
    }
    return mutex.run(id, async () => {
      const runner = await runnerOf(id);
      if (!('ended' in runner)) return runner;
      await runner.command({ type: 'start' });
      return runner.detail();
    });
  }

  async function stop(id: string): Promise<BotDetail> {
    const run = await wantBot(database, id, 'stopped');
    if (!leases.has(id)) {
      const plan = await planOf(database, id);
      // Nobody stops what nobody has.
      if (plan !== null && isActive(plan.status)) await ownership.offer({ bot: id, run });
      return awaited(id, ({ status }) => !isActive(status));
    }
    return mutex.run(id, async () => {
      const lease = leases.get(id);
      const runner = await runnerOf(id);
      if (!('ended' in runner)) {
        await lease?.end();
        return runner;
      }
      const detail = await halt(runner);
      await lease?.end();
      return detail;
    });
  }

  async function halt(runner: BotRunner): Promise<BotDetail> {
    await runner.command({ type: 'stop' });
    await finished(runner);
    const detail = await runner.detail();
    if (runner.ended() === null) await runner.close();
    if (runners.get(runner.id) === runner) runners.delete(runner.id);
    return detail;
  }

  /** The bot as soon as `done`, here or elsewhere, or as it is after a while. */
  async function awaited(id: string, done: (bot: { status: string }) => boolean): Promise<BotDetail> {
    const deadline = performance.now() + ELSEWHERE_MS;
    for (;;) {
      const plan = await planOf(database, id);
      if (plan === null) throw new CallError('not_found');
      if (done(plan) || closed || performance.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return (await runners.get(id)?.detail()) ?? shownSaved(id);
  }

  async function shownSaved(id: string): Promise<BotDetail> {
    const { row, session } = await storedBot(database, id);
    const detail = savedDetail(row, readSaved(row, session), deps.now());
    const coming = row.wanted === 'running' && !isActive(detail.status) && detail.status !== 'error';
    return coming ? { ...detail, status: 'preparing' } : detail;
  }

  /** Does something to a bot, which is let go again when it does not run. @param unreadable answer for one that cannot be read */
  async function briefly<Answer>(
    id: string,
    action: (runner: BotRunner) => Promise<Answer>,
    unreadable: (detail: BotDetail) => Answer,
  ): Promise<Answer> {
    if (!leases.has(id)) {
      const plan = await planOf(database, id);
      // It is on its way from one worker to another.
      if (plan?.wanted === 'running' || isActive(plan?.status ?? '')) throw new CallError('unavailable');
    }
    const runner = await runnerOf(id);
    if (!('ended' in runner)) return unreadable(runner);
    try {
      return await action(runner);
    } finally {
      if (runner.ended() === null && !isActive((await runner.detail()).status)) {
        await runner.close();
        if (runners.get(id) === runner) runners.delete(id);
      }
    }
  }

  /** Cancels take a moment to arrive; a session that was never started ends nothing. */
  async function finished(runner: BotRunner): Promise<void> {
    while (runner.ended() === null && isActive((await runner.detail()).status)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Stops what was to be stopped while nobody could tell this worker. Never rejects: the next round tries again. */
  async function reconcile(): Promise<void> {
    // One that cannot be stopped keeps no other from it.
    const each = async (ids: readonly string[], act: (id: string) => Promise<unknown>) => {
      for (const bot of ids) {
        await act(bot).catch((error: unknown) =>
          log.warn({ err: error, bot }, 'a bot could not be made to stand still'),
        );
      }
    };
    try {
      await each(await botsToHalt(database, new Set(leases.keys())), kill.haltRunning);
      const idle = [...leases.keys()].filter((id) => !mutex.isLocked(id) && runners.get(id)?.selling() !== true);
      // One that a fault had stopped may be deleted as it is.
      await each(await deletedOf(database, idle), async (id) => leases.get(id)?.end());
      await each(await wantedStopped(database, idle), stop);
    } catch (error) {
      log.warn({ err: error }, 'the bots that should stand still could not be found');
    }
  }

  return {
    start,
    stop,
    async order(id, command) {
      const runner = running(id);
      // A command always has a result; null is for saves.
      return (await runner.command(command)) as CommandResult;
    },
    drain: (id) =>
      mutex.run(id, () =>
        briefly(
          id,
          async (runner) => {
            await runner.command({ type: 'drain' });
            return runner.detail();
          },
          (bot) => bot,
        ),
      ),
    resetPaper: (id) =>
      mutex.run(id, () =>
        briefly(
          id,
          async (runner) => {
            const result = await runner.command({ type: 'reset' });
            if (result === null || result.ok) return runner.detail();
            throw new CallError(result.inputs.flag === 'not_flat' ? 'reset_not_flat' : 'reset_not_paper');
          },
          (bot) => bot,
        ),
      ),
    async cancelOrder(id, clientOrderId) {
      const runner = running(id);
      const result = await runner.command({ type: 'cancel', clientOrderId });
      if (result?.ok !== true) throw new CallError('order_gone');
      return runner.detail();
    },
    change: (id, { options, params }) =>
      mutex.run(id, () =>
        briefly<ChangeAnswer>(
          id,
          async (runner) => {
            const result = await runner.command({ type: 'change', options, params });
            if (result !== null && !result.ok) return { ok: false, faults: 'faults' in result ? result.faults : [] };
            return { ok: true, bot: await runner.detail(), changes: result?.changes ?? [] };
          },
          (bot) => ({ ok: true, bot, changes: [] }),
        ),
      ),
    halt: (id, pair, close) => kill.halt(id, pair, close),
    resume: (id, pair) =>
      mutex.run(id, () =>
        briefly(
          id,
          async (runner) => {
            const result = await runner.command({ type: 'resume', pair });
            if (result === null || result.ok) return runner.detail();
            throw new CallError(result.inputs.flag === 'not_paused' ? 'pair_not_paused' : 'pair_not_watched', { pair });
          },
          (bot) => bot,
        ),
      ),
    async detail(id) {
      return (await runners.get(id)?.detail()) ?? null;
    },
    async candles(id, pair) {
      const held = runners.get(id)?.candles(pair);
      if (held && held.time.length > 0) return held;
      return drawnCandles(id, pair, deps);
    },
    async close() {
      closed = true;
      clearInterval(reconcileTimer);
      await ownership.stopClaiming();
      await Promise.all([...leases.values()].map(drop));
      await Promise.all([...runners.values()].map((runner) => runner.close()));
      await ownership.close();
    },
  };
}

/** The chart of a bot that does not run: its strategy on the candles there are now. */
async function drawnCandles(id: string, pair: string, deps: FleetDeps): Promise<CandleHistory> {
  const stored = await storedBot(deps.database, id);
  const { options, params } = readSaved(stored.row, stored.session).session.state.bot;
  const session = createPaperSession({ id, options, params });
  if (!session.state.bot.pairs.some((candidate) => candidate.pair === pair)) throw new CallError('not_found');
  const count = Math.min(options.keep_lookback_periods, Math.max(2 * session.bot.warmup, 100));
  const { market, history } = await deps.feed.history(pair, options.period as Period, count);
  feedSession(session, { type: 'history', at: deps.now(), market, candles: [...history] });
  const drawn = candleHistory(session, pair);
  if (!drawn) throw new CallError('not_found');
  return drawn;
}

async function storedBot({ orm }: Database, id: string): Promise<{ row: BotRow; session: string }> {
  const [stored] = await orm
    .select({ row: table.bot, session: table.snapshot.session })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(eq(table.bot.id, id));
  if (!stored) throw new CallError('not_found');
  return stored;
}
