import { setTimeout as delay } from 'node:timers/promises';
import type { botCalls } from '@heron/contract/bots/calls.ts';
import type {
  BotDetail,
  BotSummary,
  CandleHistory,
  MarketTerms,
  MarketView,
  PastCandles,
} from '@heron/contract/bots/entities.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { parseUnits, percentRatio } from '@heron/engine/money/units.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import type { z } from 'zod';
import type { ChangeAnswer } from '../fleet/fleet.ts';
import type { HaltAnswer } from '../fleet/killSwitch.ts';
import { optionsInvalid } from '../http/optionsInvalid.ts';
import type { Given, Handlers } from '../http/serveCalls.ts';
import { equityHistory, recentProfits } from '../store/botEquity.ts';
import { botFigures } from '../store/botFigures.ts';
import { journalPage, tradePage } from '../store/botHistory.ts';
import { markSeen, notificationPage, unseenAlarms, unseenCount } from '../store/botNotifications.ts';
import { wantBot } from '../store/botPlan.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { createBot, deleteBot, listBots, ownBot, type StoredBot } from '../store/botStore.ts';
import { savedDetail } from '../store/botView.ts';
import { claimContracts, claimsContracts, createContractLock } from '../store/contractClaims.ts';
import { wantHalt } from '../store/halts.ts';
import { showsWithdrawals } from '../store/hosted.ts';
import { deleteKey, isIdentified, listKeys, ownKey } from '../store/keyViews.ts';
import { readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import type { ClientStreams } from '../streams/clientStreams.ts';
import { shownVenue } from '../venues/shownVenue.ts';
import { shouldRun, unservedText } from '../venues/unservedBots.ts';
import type { VenueState, VenueStates } from '../venues/venueStates.ts';
import {
  type Health,
  KEY_PATHS,
  type openOrdersAnswer,
  type orderAnswer,
  type orderBody,
  WORKER_PATHS,
} from '../worker/workerApi.ts';
import type { WorkerConnection } from '../workerProcesses/workerConnection.ts';
import type { WorkerLink } from '../workerProcesses/workerLink.ts';
import type { Workers } from '../workerProcesses/workers.ts';
import { createCallLimiter } from './callLimiter.ts';
import { checkBot, checkChange } from './checkBot.ts';
import { refusalText } from './refusalText.ts';

/** A worker that is frozen must not hold up a list. */
const DETAILS_MS = 2_000;
/** What a key may do is asked of the exchange, in several questions. */
const KEY_MS = 20_000;
/** What rests of a bot is asked of the exchange, cancelled and asked for again. */
const RESTING_MS = 25_000;

/** Candles of any length are asked of the exchange, where a busy worker may have to wait for its turn. */
const CANDLES_MS = 25_000;
/** Calls of {@link CANDLES_MS} that one person may make in a minute: a page of a chart that is scrolled is one. */
const CANDLE_CALLS = 60;
/** The same for what a backtest needs, which is kept once it was fetched. */
const PAST_CALLS = 120;

/** Clients give a call up after a little longer. */
const PREPARE_MS = 6_000;

/** What the calls work on. */
export interface BotApiDeps {
  readonly database: Database;
  now(): number;
  readonly workers: Workers;
  readonly venueStates: VenueStates;
  /** The worker with that number, of whichever bot host; null when it is not there. */
  connectionOf(worker: number | null): Promise<WorkerConnection | null>;
  streams(): ClientStreams;
}

/** What the host knows of an owner's bots, from their workers or else from what they saved. */
export interface BotViews {
  details(owner: string): Promise<BotDetail[]>;
  detail(owner: string, id: string): Promise<BotDetail>;
}

export function createBotViews(deps: BotApiDeps): BotViews {
  const { database } = deps;

  /** As its worker has them; without those that it does not run, or all when it is away. */
  async function running(worker: number, ids: string[]): Promise<BotDetail[]> {
    try {
      const connection = await deps.connectionOf(worker);
      return (await connection?.call<BotDetail[]>('POST', WORKER_PATHS.details, { ids }, DETAILS_MS)) ?? [];
    } catch {
      return [];
    }
  }

  function saved({ row, session }: StoredBot): BotDetail {
    const detail = savedDetail(row, readSaved(row, session), deps.now());
    const unserved = !deps.workers.isServed(row.venue) && detail.status !== 'error';
    if (unserved && shouldRun(row, detail.status)) {
      const { zh, en } = unservedText(row, isLive(row));
      return { ...detail, status: 'venue_disabled', problem: { zh, en } };
    }
    // Wanted running, and no worker has it yet: it is on its way.
    const coming = row.wanted === 'running' && !isActive(detail.status) && detail.status !== 'error';
    return coming ? { ...detail, status: 'preparing' } : detail;
  }

  async function all(bots: readonly StoredBot[]): Promise<BotDetail[]> {
    const byWorker = new Map<number, string[]>();
    for (const { row, worker } of bots) {
      if (worker !== null) byWorker.set(worker, [...(byWorker.get(worker) ?? []), row.id]);
    }
    const details = await Promise.all([...byWorker].map(([worker, ids]) => running(worker, ids)));
    const known = new Map(details.flat().map((detail) => [detail.id, detail]));
    return bots.map((bot) => known.get(bot.row.id) ?? saved(bot));
  }

  return {
    async details(owner) {
      return all(await listBots(database, owner));
    },
    async detail(owner, id) {
      const [detail] = await all([await ownBot(database, owner, id)]);
      return detail as BotDetail;
    },
  };
}

function isLive({ options }: BotRow): boolean {
  return options.mode === 'live';
}

/** Nothing of it can be at work, and nothing is held that `close` would sell. */
function isAtRest({ row, session }: StoredBot, close: boolean): boolean {
  const saved = readSaved(row, session);
  if (saved.unreadable !== null || row.wanted === 'running' || isActive(saved.session.state.bot.status)) return false;
  return !close || saved.session.state.bot.pairs.every(({ position }) => position === null);
}

function watched(pairs: readonly PairState[]): string[] {
  return pairs.filter(isWatched).map(({ pair }) => pair);
}

/** Its books do not say of every order that it has ended. */
function mayHaveOrders({ row, session }: StoredBot): boolean {
  const saved = readSaved(row, session);
  if (saved.unreadable !== null) return true;
  return 'orders' in saved.session.state && saved.session.state.orders.length > 0;
}

/** A detail without what only its page shows. */
export function summaryOf({ options: _, pairViews: __, warnings: ___, ...summary }: BotDetail): BotSummary {
  return summary;
}

/** A copy, since answers are plain objects that the contract may change. */
function copied({ reachable, trading, problem, pause }: VenueState) {
  return {
    ...{ reachable, trading },
    problem: problem && { zh: problem.zh, en: problem.en },
    pause: pause && { until: pause.until, banned: pause.banned },
  };
}

const isHealth = (health: Health | 'silent' | null): health is Health => health !== null && health !== 'silent';

/** Answers to the calls of the contract. */
export function createBotApi(deps: BotApiDeps, views: BotViews): Handlers<typeof botCalls> {
  const { database } = deps;
  const contractLock = createContractLock(database);
  const limitCandleCalls = createCallLimiter(CANDLE_CALLS);
  const limitPastCalls = createCallLimiter(PAST_CALLS);
  const own = (user: string, id: string) => ownBot(database, user, id);

  /** Null of a process that no bot has needed yet: none is started for being asked. */
  async function health(venue: string, mode: 'paper' | 'live'): Promise<Health | 'silent' | null> {
    const worker = deps.workers.of(venue, mode).current();
    return worker === null ? null : worker.call<Health>('GET', WORKER_PATHS.health).catch(() => 'silent' as const);
  }

  return {
    async exchanges() {
      return {
        exchanges: await Promise.all(
          deps.workers.venues.map(async (venue) => {
            const { id, exchange } = venue;
            const [paper, live, state] = await Promise.all([
              health(id, 'paper'),
              health(id, 'live'),
              deps.venueStates.of(venue),
            ]);
            const known = [paper, live].filter(isHealth);
            return {
              venue: id,
              ...copied(shownVenue(state, known)),
              feeds: [
                ...(isHealth(paper) ? [{ of: 'paper' as const, ...paper.feed }] : []),
                ...(isHealth(live) ? [{ of: 'live' as const, ...live.feed }] : []),
              ],
              live: true,
              tellsWithdrawals: showsWithdrawals(exchange),
            };
          }),
        ),
      };
    },

    async markets({ query }) {
      return {
        markets: await (await started(query.venue, 'paper')).call<MarketView[]>('GET', WORKER_PATHS.markets),
      };
    },

    async marketCandles({ user, query }) {
      await limitCandleCalls(user);
      const { venue, pair, period, limit, before } = query;
      const requested = { pair, period, limit, ...(before !== undefined && { before }) };
      const worker = await started(venue, 'paper');
      return worker.call<CandleHistory>('POST', WORKER_PATHS.marketCandles, requested, CANDLES_MS);
    },

    async pastCandles({ user, query: { venue, ...requested } }) {
      await limitPastCalls(user);
      const worker = await started(venue, 'paper');
      return worker.call<PastCandles>('POST', WORKER_PATHS.pastCandles, requested, CANDLES_MS);
    },

    async marketTerms({ user, query: { venue, ...requested } }) {
      await limitPastCalls(user);
      const worker = await started(venue, 'paper');
      return worker.call<MarketTerms>('POST', WORKER_PATHS.marketTerms, requested, CANDLES_MS);
    },

    async list({ user }) {
      return { bots: (await views.details(user)).map(summaryOf) };
    },

    async create({ user, body, language }) {
      checkBot(body.options, language);
      // Refused here rather than when it starts.
      deps.workers.of(body.options.exchange, modeOf(body));
      const { row } = await createBot(database, user, body, deps.now());
      const detail = await views.detail(user, row.id);
      deps.streams().send(user, { type: 'bot', bot: summaryOf(detail) });
      return detail;
    },

    get: ({ user, params }) => views.detail(user, params.id),

    async start({ user, params, body }) {
      const { row, session } = await own(user, params.id);
      // One that runs already needs no second word.
      const asleep = !isActive(readSaved(row, session).session.state.bot.status) && row.wanted !== 'running';
      // Refused rather than never started.
      if (asleep) deps.workers.of(row.venue, modeOf(row));
      if (isLive(row) && asleep && body.confirm !== row.name)
        throw new CallError('live_not_confirmed', { name: row.name });
      if (claimsContracts(row)) {
        if (asleep) await knowAccount(user, row);
        await contractLock.runLocked(row.venue, async (tx) => {
          // What it is to trade may have been changed before its turn has come.
          const { session: now } = await ownBot({ orm: tx }, user, row.id);
          await claimContracts(tx, row, watched(readSaved(row, now).session.state.bot.pairs));
          await wantBot({ orm: tx }, row.id, 'running');
        });
      } else await wantBot(database, row.id, 'running');
      return act(user, row.id, WORKER_PATHS.start(row.id));
    },

    async stop({ user, params }) {
      await own(user, params.id);
      await wantBot(database, params.id, 'stopped');
      return act(user, params.id, WORKER_PATHS.stop(params.id));
    },

    async drain({ user, params }) {
      return callWorkers<BotDetail>(user, params.id, 'POST', WORKER_PATHS.drain(params.id));
    },

    async resetPaper({ user, params, body }) {
      const { row } = await own(user, params.id);
      if (isLive(row)) throw new CallError('reset_not_paper');
      if (body.confirm !== row.name) throw new CallError('reset_not_confirmed', { name: row.name });
      const bot = await callWorkers<BotDetail>(user, row.id, 'POST', WORKER_PATHS.reset(row.id));
      deps.streams().send(user, { type: 'bot', bot: summaryOf(bot) });
      return bot;
    },

    async takeBack({ user, params, body }) {
      return callWorkers<BotDetail>(user, params.id, 'POST', WORKER_PATHS.cancelOrder(params.id), body);
    },

    async remove({ user, params, query }) {
      const bot = await own(user, params.id);
      const saved = readSaved(bot.row, bot.session);
      const shown = (await views.detail(user, params.id)).status;
      const failed = shown === 'error';
      // What is too new for this version another worker may run, until one has found out that it cannot either.
      const runs = failed
        ? saved.unreadable === 'state_too_new' && isActive(bot.status)
        : bot.row.wanted === 'running' || isActive(saved.session.state.bot.status);
      // It cannot be stopped while nobody runs it.
      if (runs) throw new CallError(shown === 'venue_disabled' ? 'venue_disabled' : 'bot_running');
      if (query.orders !== 'leave' && (failed || mayHaveOrders(bot)))
        await needNoOrders(bot, query.orders === 'cancel');
      await deleteBot(database, user, params.id, failed ? bot.fence : null);
      deps.streams().send(user, { type: 'removed', id: params.id });
      return { deleted: true };
    },

    async order({ user, params, body, language }) {
      const { row, session } = await own(user, params.id);
      const { bot } = readSaved(row, session).session.state;
      const command = commandOf(body, bot.options.sell_pct);
      if (!bot.pairs.some(({ pair }) => pair === body.pair)) {
        throw new CallError('pair_unknown', { pair: body.pair });
      }
      const answer = await callWorkers<z.infer<typeof orderAnswer>>(
        user,
        row.id,
        'POST',
        WORKER_PATHS.order(row.id),
        command,
      );
      if (answer.ok) return { intentId: answer.intentId };
      throw refused(answer.gate, language);
    },

    async change({ user, params, body, language }) {
      const { row, session } = await own(user, params.id);
      checkChange(readSaved(row, session).session.state.bot, body, language);
      const carryOut = () => callWorkers<ChangeAnswer>(user, row.id, 'POST', WORKER_PATHS.change(row.id), body);
      const answer = !claimsContracts(row)
        ? await carryOut()
        : // Nobody else claims until the worker has committed it.
          await contractLock.runLocked(row.venue, async (tx) => {
            const now = await ownBot({ orm: tx }, user, row.id);
            const { bot } = readSaved(now.row, now.session).session.state;
            const { watch_pairs } = checkChange(bot, body, language);
            // One that rests may want anything; it is asked when it starts.
            const runs = now.row.wanted === 'running' || isActive(bot.status);
            if (runs) await claimContracts(tx, row, parsePairs(watch_pairs).pairs);
            return carryOut();
          });
      if (!answer.ok) throw optionsInvalid(answer.faults, language);
      const { bot, changes } = answer;
      deps.streams().send(user, { type: 'bot', bot: summaryOf(bot) });
      return { bot, changes: [...changes] };
    },

    async halt({ user, params, body }) {
      const { pair = null, close } = body;
      const { row, session: text } = await own(user, params.id);
      const { session, unreadable } = readSaved(row, text);
      const watched = session.state.bot.pairs.filter(isWatched);
      if (unreadable === null && pair !== null && !watched.some((one) => one.pair === pair)) {
        throw new CallError('pair_not_watched', { pair });
      }
      return pullSwitch(user, params.id, pair, close);
    },

    async haltAll({ user, body }) {
      const bots = (await listBots(database, user)).filter((bot) => isLive(bot.row) && !isAtRest(bot, body.close));
      const answers = bots.map(({ row }) =>
        pullSwitch(user, row.id, null, body.close).catch((error: unknown) => {
          // One that is just being deleted keeps no other from being halted.
          if (error instanceof CallError && error.code === 'not_found') return null;
          throw error;
        }),
      );
      return { bots: (await Promise.all(answers)).filter((answer) => answer !== null) };
    },

    async resume({ user, params, body }) {
      return callWorkers<BotDetail>(user, params.id, 'POST', WORKER_PATHS.resume(params.id), body);
    },

    async candles({ user, params, query }) {
      return callWorkers<CandleHistory>(user, params.id, 'GET', WORKER_PATHS.candles(params.id, query.pair));
    },

    async trades({ user, params, query }) {
      const { row } = await own(user, params.id);
      return tradePage(database, row.id, query);
    },

    async equity({ user, params, query }) {
      const { row } = await own(user, params.id);
      return equityHistory(database, row.id, query, deps.now());
    },

    async figures({ user, params, query }) {
      return botFigures(database, await own(user, params.id), query.zone);
    },

    async profits({ user, query }) {
      return { bots: await recentProfits(database, user, query.since, deps.now()) };
    },

    async notifications({ user, query }) {
      return notificationPage(database, user, query);
    },

    async alarms({ user }) {
      return { bots: await unseenAlarms(database, user) };
    },

    async markNotificationsSeen({ user, body }) {
      await markSeen(database, user, body, deps.now());
      deps.streams().countUnseen(user);
      return { unseen: await unseenCount(database, user) };
    },

    async keys({ user }) {
      return { keys: await listKeys(database, user) };
    },

    async addKey({ user, body }) {
      const worker = await started(body.venue, 'live');
      const { id } = await worker.call<{ id: string }>('POST', KEY_PATHS.add, { owner: user, ...body }, KEY_MS);
      return ownKey(database, user, id);
    },

    async prepareKeys({ body }) {
      const worker = deps.workers.of(body.venue, 'live');
      const waited = delay(PREPARE_MS, undefined, { ref: false });
      // Whoever needs it next tries again, and is told when it fails; who only asks whether it is ready waits all the same.
      const starting = worker.get().then(
        () => {},
        () => waited,
      );
      await Promise.race([starting, waited]);
      return { ready: worker.current() !== null };
    },

    async testKey({ user, params }) {
      const { venue } = await ownKey(database, user, params.id);
      const worker = await started(venue, 'live');
      await worker.call('POST', KEY_PATHS.test, { owner: user, id: params.id }, KEY_MS);
      return ownKey(database, user, params.id);
    },

    async removeKey({ user, params }) {
      await deleteKey(database, user, params.id);
      return { deleted: true };
    },

    async journal({ user, params, query }) {
      const { row } = await own(user, params.id);
      return journalPage(database, row.id, query);
    },
  };

  /**
   * Has the exchange say of which account the key of a bot is, unless it has: whether another bot trades on it must be known
   * before this one begins.
   *
   * @throws CallError when the exchange cannot be asked
   */
  async function knowAccount(user: string, { venue, keyId }: BotRow): Promise<void> {
    if (keyId === null || (await isIdentified(database, keyId))) return;
    const worker = await started(venue, 'live');
    await worker.call('POST', KEY_PATHS.test, { owner: user, id: keyId }, KEY_MS);
  }

  /** This host's own worker for such a bot. */
  async function workerOf(row: BotRow): Promise<WorkerConnection> {
    return started(row.venue, modeOf(row));
  }

  /** Asks the worker that runs a bot, or else this host's own. A bot may have moved while it was asked for. */
  async function callWorkers<Answer>(
    user: string,
    id: string,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Answer> {
    let requested: number | null = null;
    for (;;) {
      const { row, session, worker } = await own(user, id);
      const needed = row.wanted === 'running' || isActive(readSaved(row, session).session.state.bot.status);
      const connection = (needed ? await deps.connectionOf(worker) : null) ?? (await workerOf(row));
      try {
        return await connection.call<Answer>(method, path, body);
      } catch (error) {
        const moving = needed && error instanceof CallError && /^(unavailable|bot_not_running)$/.test(error.code);
        if (!moving) throw error;
        // Nobody takes it over where its venue is not enabled.
        if (worker === requested)
          throw new CallError(deps.workers.isServed(row.venue) ? 'unavailable' : 'venue_disabled');
        requested = worker;
      }
    }
  }

  async function started(venue: string, mode: 'paper' | 'live'): Promise<WorkerLink> {
    const worker = deps.workers.of(venue, mode);
    try {
      return await worker.get();
    } catch {
      throw new CallError('unavailable');
    }
  }

  /**
   * Has the exchange say that nothing of a bot rests there.
   *
   * @throws CallError `orders_rest`, `orders_may_rest`
   */
  async function needNoOrders({ row }: StoredBot, cancel: boolean): Promise<void> {
    if (!isLive(row)) return;
    const worker = await workerOf(row).catch(() => null);
    if (worker === null) throw new CallError('orders_may_rest');
    const requested = worker.call<z.infer<typeof openOrdersAnswer>>(
      'POST',
      WORKER_PATHS.resting(row.id),
      { cancel },
      RESTING_MS,
    );
    const { count } = await requested.catch((error: unknown) => {
      if (error instanceof CallError && error.code === 'unavailable') throw new CallError('orders_may_rest');
      throw error;
    });
    if (count > 0) throw new CallError('orders_rest', { count });
  }

  /** The kill switch: written down first, so that it comes about whoever has the bot, and whether anybody has. */
  async function pullSwitch(user: string, id: string, pair: string | null, close: boolean): Promise<HaltAnswer> {
    await wantHalt(database, id, { pair, close }, deps.now());
    return (
      (await askWorker<HaltAnswer>(user, id, WORKER_PATHS.halt(id), { pair, close })) ?? {
        confirmed: false,
        bot: await views.detail(user, id),
      }
    );
  }

  /** Starts or stops. What is wanted is written down already: when no worker can be asked it comes about later. */
  async function act(user: string, id: string, path: string): Promise<BotDetail> {
    return (await askWorker<BotDetail>(user, id, path)) ?? views.detail(user, id);
  }

  /** Asks the worker that has the bot, then this host's own; null when neither can be asked. */
  async function askWorker<Answer>(user: string, id: string, path: string, body?: object): Promise<Answer | null> {
    const { row, worker } = await own(user, id);
    const connections = [await deps.connectionOf(worker), await workerOf(row).catch(() => null)];
    for (const connection of new Set(connections)) {
      try {
        if (connection !== null) return await connection.call<Answer>('POST', path, body);
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'unavailable') throw error;
      }
    }
    return null;
  }
}

function commandOf(body: Given<typeof botCalls.order>['body'], share: number): z.infer<typeof orderBody> {
  const { requestId, pair, side, type: order } = body;
  // A maker order is bounded by its own price.
  const bound = order === 'taker' && { slippage: percentRatio(body.slippagePercent) };
  if (side === 'sell')
    return { type: 'sell', pair, order, percent: body.percent ?? (share || 100), ...bound, requestId };
  const value = body.value === undefined ? null : parseUnits(body.value);
  if (value === null || value <= 0) throw new CallError('invalid_request', { reason: 'value' });
  return { type: 'buy', pair, order, value, ...bound, requestId, ...(body.short === true && { short: true }) };
}

function refused(gate: string, language: Language): CallError {
  return new CallError('order_refused', { reason: refusalText(gate, language), gate });
}
