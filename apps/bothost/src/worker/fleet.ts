import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { CommandResult } from '@heron/engine/bot/bot.ts';
import type { OptionChange } from '@heron/engine/bot/change.ts';
import type { Command } from '@heron/engine/bot/event.ts';
import type { Period } from '@heron/engine/market/period.ts';
import type { OptionFault } from '@heron/engine/options/validate.ts';
import { createPaperSession, feedSession, type PaperSession } from '@heron/engine/simulate/paperSession.ts';
import { candleHistory } from '@heron/engine/simulate/sessionView.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type BotRow, savedDetail } from '../bots/botView.ts';
import { type HostedSession, readSaved, type UnreadableBot } from '../bots/savedBot.ts';
import { ACTIVE, isActive, type TakenBot, takeOver, writeUnreadable } from './botJournal.ts';
import { type BotMachine, paperMachine } from './botMachine.ts';
import { type BotRunner, type RunnerGround, startBotRunner } from './botRunner.ts';

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
}

const PAPER: FleetKind = {
  mode: 'paper',
  machine(_row, session) {
    // A live session here would be one that nothing could trade for.
    if ('kind' in session.state) throw new TypeError('a live bot cannot run on paper');
    return paperMachine(session as PaperSession);
  },
};

/** What came of the kill switch. */
export interface HaltAnswer {
  /** The exchange has confirmed that nothing rests, and that nothing is held if it was to be sold. */
  readonly confirmed: boolean;
  readonly bot: BotDetail;
}

/** The call itself is given up after 8 s. */
const HALT_ANSWER_MS = 6_000;
const HALT_AGAIN_MS = 1_000;

/** How often it is checked that what owners want is what happens. */
const RECONCILE_MS = 5_000;

/** The bots of one worker. */
export interface Fleet {
  /** Does nothing to a bot that runs. */
  start(id: string): Promise<BotDetail>;
  /** Resolves when its orders are cancelled and all is saved. Does nothing to a bot that does not run. */
  stop(id: string): Promise<BotDetail>;
  order(id: string, command: Extract<Command, { requestId: string }>): Promise<CommandResult>;
  /** Gives a bot other options, whether it runs or not. What is refused changes nothing. */
  change(id: string, given: SetupChange): Promise<ChangeAnswer>;
  /** A paused pair may enter again, at once or when the bot runs again. @throws CallError `pair_not_watched`, `pair_not_paused` */
  resume(id: string, pair: string): Promise<BotDetail>;
  /**
   * The kill switch: cancels every order of a pair, or of all, and sells what is held if `close`. Says whether the exchange
   * has confirmed it within a few seconds; it goes on in any case.
   */
  halt(id: string, pair: string | null, close: boolean): Promise<HaltAnswer>;
  /** Of a bot that runs; null for others, whose saved state says all. */
  detail(id: string): Promise<BotDetail | null>;
  candles(id: string, pair: string): Promise<CandleHistory>;
  close(): Promise<void>;
}

/**
 * Runs the bots of an exchange: at the start every one that is wanted running or was left in the middle of something, later
 * those that are asked for.
 */
export function startFleet(exchange: string, ground: RunnerGround, kind: FleetKind = PAPER): Fleet {
  const runners = new Map<string, BotRunner>();
  /** Bots that another worker has taken: they are not taken back unless their owner starts them here. */
  const lost = new Set<string>();
  /** Bots whose saved state this program cannot read: they are left alone unless their owner asks again. */
  const unreadable = new Set<string>();
  /** What is being done to a bot, so that start and stop never cross. */
  const turns = new Map<string, Promise<unknown>>();
  let closed = false;
  let reconciling: Promise<void> = reconcile();
  const clock = setInterval(() => {
    reconciling = reconciling.then(reconcile);
  }, RECONCILE_MS);

  function inTurn<T>(id: string, action: () => Promise<T>): Promise<T> {
    const before = turns.get(id) ?? Promise.resolve();
    const turn = before.then(action, action);
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (turns.get(id) === settled) turns.delete(id);
      });
    turns.set(id, settled);
    return turn;
  }

  /** Takes a bot over unless it runs here; a detail of it when its saved state cannot be read. */
  async function runnerOf(id: string): Promise<BotRunner | BotDetail> {
    const held = runners.get(id);
    if (held && held.ended() === null) return held;
    const taken = await takeOver(ground.database, id);
    if (taken === null || taken.row.exchange !== exchange || taken.row.options.mode !== kind.mode) {
      throw new CallError('not_found');
    }
    lost.delete(id);
    unreadable.delete(id);
    const saved = readSaved(taken.row, taken.session);
    if (saved.unreadable !== null) return leave(taken, saved);
    const runner = startBotRunner(taken, kind.machine(taken.row, saved.session), ground, (why) => {
      if (why === 'lost') lost.add(id);
      // One that met a fault stays, to be seen, until it is started again.
      if (why !== 'failed' && runners.get(id) === runner) runners.delete(id);
    });
    runners.set(id, runner);
    return runner;
  }

  /** Nothing can be done with it here; the others are not held up by it. */
  async function leave(taken: TakenBot, saved: UnreadableBot): Promise<BotDetail> {
    const { row } = taken;
    unreadable.add(row.id);
    ground.log.error({ bot: row.id, why: saved.unreadable }, 'what the bot saved cannot be read; it is left alone');
    await writeUnreadable(ground.database, taken, saved.unreadable, ground.now());
    return savedDetail(row, saved, ground.demo, ground.now());
  }

  function running(id: string): BotRunner {
    const runner = runners.get(id);
    if (!runner || runner.ended() !== null) throw new CallError('bot_not_running');
    return runner;
  }

  const start = (id: string) =>
    inTurn(id, async () => {
      const runner = await runnerOf(id);
      if (!('ended' in runner)) return runner;
      await runner.command({ type: 'start' });
      return runner.detail();
    });

  const stop = (id: string) =>
    inTurn(id, async () => {
      const runner = await runnerOf(id);
      if (!('ended' in runner)) return runner;
      await runner.command({ type: 'stop' });
      await finished(runner);
      const detail = await runner.detail();
      if (runner.ended() === null) await runner.close();
      if (runners.get(id) === runner) runners.delete(id);
      return detail;
    });

  /** Does something to a bot, which is let go again when it does not run. @param unreadable answer for one that cannot be read */
  async function briefly<Answer>(
    id: string,
    action: (runner: BotRunner) => Promise<Answer>,
    unreadable: (detail: BotDetail) => Answer,
  ): Promise<Answer> {
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

  /** Brings about what owners want, where it is not so. Never rejects: the next round tries again. */
  async function reconcile(): Promise<void> {
    if (closed) return;
    try {
      const { orm } = ground.database;
      const rows = await orm
        .select({ id: table.bot.id, wanted: table.bot.wanted, status: table.snapshot.status })
        .from(table.bot)
        .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
        .where(
          and(
            eq(table.bot.exchange, exchange),
            sql`${table.bot.options} ->> 'mode' = ${kind.mode}`,
            or(eq(table.bot.wanted, 'running'), inArray(table.snapshot.status, [...ACTIVE, 'error'])),
          ),
        );
      await Promise.all(
        rows.map(async ({ id, wanted }) => {
          if (closed || lost.has(id) || unreadable.has(id) || turns.has(id)) return;
          // One that should stop was found because its session is still active, here or nowhere.
          if (wanted === 'running' && runners.has(id)) return;
          await (wanted === 'running' ? start(id) : stop(id)).catch((error: unknown) => {
            ground.log.warn(
              { err: error, bot: id },
              `the bot could not be ${wanted === 'running' ? 'started' : 'stopped'}`,
            );
          });
        }),
      );
    } catch (error) {
      ground.log.warn({ err: error }, 'the bots that should run could not be read');
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
    change: (id, { options, params }) =>
      inTurn(id, () =>
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
    halt: async (id, pair, close) => {
      const runner = running(id);
      const deadline = ground.now() + HALT_ANSWER_MS;
      let askedAt = 0;
      for (;;) {
        const bot = await runner.detail();
        const views = bot.pairViews.filter((view) => pair === null || view.pair === pair);
        if (views.length === 0) throw new CallError('pair_not_watched', { pair: pair ?? '' });
        const busy = views.filter(({ orders, position }) => orders.length > 0 || (close && position !== null));
        if (askedAt > 0 && busy.length === 0) return { confirmed: true, bot };
        if (ground.now() > deadline) return { confirmed: false, bot };
        // Once more for what a cancelled order still brought in.
        if (askedAt === 0 || ground.now() - askedAt > HALT_AGAIN_MS) {
          const wanted = askedAt === 0 ? views : busy.filter(({ orders }) => orders.length === 0);
          for (const view of wanted) await runner.command({ type: 'halt', pair: view.pair, close });
          askedAt = ground.now();
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    resume: (id, pair) =>
      inTurn(id, () =>
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
      return drawnCandles(id, pair, ground);
    },
    async close() {
      closed = true;
      clearInterval(clock);
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}

/** The chart of a bot that does not run: its strategy on the candles there are now. */
async function drawnCandles(id: string, pair: string, ground: RunnerGround): Promise<CandleHistory> {
  const [stored] = await ground.database.orm
    .select({ row: table.bot, session: table.snapshot.session })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(eq(table.bot.id, id));
  if (!stored) throw new CallError('not_found');
  const { options, params } = readSaved(stored.row, stored.session).session.state.bot;
  const session = createPaperSession({ id, options, params });
  if (!session.state.bot.pairs.some((candidate) => candidate.pair === pair)) throw new CallError('not_found');
  const count = Math.min(options.keep_lookback_periods, Math.max(2 * session.bot.warmup, 100));
  const { market, history } = await ground.feed.history(pair, options.period as Period, count);
  feedSession(session, { type: 'history', at: ground.now(), market, candles: [...history] });
  const drawn = candleHistory(session, pair);
  if (!drawn) throw new CallError('not_found');
  return drawn;
}
