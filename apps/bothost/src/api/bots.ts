import { randomUUID } from 'node:crypto';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import { describeFault } from '@heron/contract/locales/optionFaultText.ts';
import { parsePairs } from '@heron/engine/options/pairs.ts';
import type { z } from 'zod';
import type { ChangeAnswer } from '../fleet/fleet.ts';
import { optionsInvalid } from '../http/optionsInvalid.ts';
import { wantBot } from '../store/botPlan.ts';
import { type BotRow, modeOf } from '../store/botRow.ts';
import { createBot, deleteBot, ownBot, renameBot, type StoredBot } from '../store/botStore.ts';
import { claimContracts, claimsContracts } from '../store/contractClaims.ts';
import { readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';
import { type openOrdersAnswer, WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';
import { summaryOf } from './botViews.ts';
import { checkBot, checkChange } from './checkBot.ts';
import { identifyKey, requireAllotment } from './keys.ts';
import { isLive, mayHaveOrders, runsNow, watchedPairs } from './ownBots.ts';

/** The worker reads the open orders of a bot, cancels them, and reads them again. */
const OPEN_ORDERS_TIMEOUT_MS = 25_000;

type BotCalls =
  | 'list'
  | 'create'
  | 'rename'
  | 'get'
  | 'start'
  | 'stop'
  | 'drain'
  | 'close'
  | 'resetPaper'
  | 'change'
  | 'resume'
  | 'remove';

/** Creates the handlers of the calls about whole bots. */
export function createBotHandlers(context: ApiContext): BotHandlers<BotCalls> {
  const { database, views, workers, workerCalls, contractLock } = context;
  const own = (user: string, id: string) => ownBot(database, user, id);
  const push = (user: string, bot: BotDetail) => context.streams().send(user, { type: 'bot', bot: summaryOf(bot) });

  /** Claims the contracts that a bot trades and records its start, in one transaction. */
  async function claimAndStart(user: string, row: BotRow): Promise<void> {
    await contractLock.runLocked(row.venue, async (tx) => {
      // Its pairs may have been changed while this call waited for the lock.
      const { session } = await ownBot({ orm: tx }, user, row.id);
      await claimContracts(tx, row, watchedPairs(readSaved(row, session).session.state.bot.pairs));
      await wantBot({ orm: tx }, row.id, 'running');
    });
  }

  /** Rejects the removal of a bot that runs. */
  function rejectIfRunning(bot: StoredBot, shownStatus: BotDetail['status']): void {
    const saved = readSaved(bot.row, bot.session);
    // Another worker may run a bot that is too new for this version, until it finds out that it cannot either.
    const runs = shownStatus === 'error' ? saved.unreadable === 'state_too_new' && isActive(bot.status) : runsNow(bot);
    // Without a worker of its venue the bot cannot be stopped.
    if (runs) throw new CallError(shownStatus === 'venue_disabled' ? 'venue_disabled' : 'bot_running');
  }

  /** Makes sure at the exchange that a bot has no open order. @throws CallError `orders_rest`, `orders_may_rest` */
  async function requireNoOrders({ row }: StoredBot, cancel: boolean): Promise<void> {
    if (!isLive(row)) return;
    const worker = await workerCalls.own(row).catch(() => null);
    if (worker === null) throw new CallError('orders_may_rest');
    const path = WORKER_PATHS.resting(row.id);
    const answer = worker.call<z.infer<typeof openOrdersAnswer>>('POST', path, { cancel }, OPEN_ORDERS_TIMEOUT_MS);
    const { count } = await answer.catch((error: unknown) => {
      if (error instanceof CallError && error.code === 'unavailable') throw new CallError('orders_may_rest');
      throw error;
    });
    if (count > 0) throw new CallError('orders_rest', { count });
  }

  return {
    async list({ user }) {
      return { bots: (await views.details(user)).map(summaryOf) };
    },

    async create({ user, body, language }) {
      checkBot(body.options, language);
      // A venue that is not enabled is rejected now rather than at the start.
      workers.of(body.options.exchange, modeOf(body));
      const { row } = await createBot(database, user, body, context.now());
      const detail = await views.detail(user, row.id);
      push(user, detail);
      return detail;
    },

    get: ({ user, params }) => views.detail(user, params.id),

    async start({ user, params, body }) {
      const bot = await own(user, params.id);
      const { row } = bot;
      const stopped = !runsNow(bot);
      // A venue that is not enabled is rejected; without this check the bot would never start.
      if (stopped) workers.of(row.venue, modeOf(row));
      // A bot that runs already needs no second confirmation.
      if (isLive(row) && stopped && body.confirm !== row.name) {
        throw new CallError('live_not_confirmed', { name: row.name });
      }
      if (stopped) await requireAllotment(context, bot);
      if (claimsContracts(row)) {
        if (stopped) await identifyKey(context, user, row);
        await claimAndStart(user, row);
      } else await wantBot(database, row.id, 'running');
      return workerCalls.startOrStop(user, row.id, WORKER_PATHS.start(row.id));
    },

    async rename({ user, params: { id }, body }) {
      await renameBot(database, user, id, body.name);
      // A bot that starts meanwhile reads its new name.
      if (runsNow(await own(user, id))) await workerCalls.tryPost({ user, id, path: WORKER_PATHS.rename(id) });
      const bot = await views.detail(user, id);
      push(user, bot);
      return bot;
    },

    async stop({ user, params: { id } }) {
      await own(user, id);
      await wantBot(database, id, 'stopped');
      return workerCalls.startOrStop(user, id, WORKER_PATHS.stop(id));
    },

    drain: ({ user, params: { id } }) =>
      workerCalls.call<BotDetail>({ user, id, method: 'POST', path: WORKER_PATHS.drain(id) }),

    close: ({ user, params: { id } }) =>
      workerCalls.call<BotDetail>({ user, id, method: 'POST', path: WORKER_PATHS.close(id) }),

    async resetPaper({ user, params, body }) {
      const { row } = await own(user, params.id);
      if (isLive(row)) throw new CallError('reset_not_paper');
      if (body.confirm !== row.name) throw new CallError('reset_not_confirmed', { name: row.name });
      const path = WORKER_PATHS.reset(row.id);
      const bot = await workerCalls.call<BotDetail>({ user, id: row.id, method: 'POST', path });
      push(user, bot);
      return bot;
    },

    async change({ user, params: { id }, body, language }) {
      const { row, session } = await own(user, id);
      checkChange(readSaved(row, session).session.state.bot, body, language);
      // The bot may move to another worker after the first one has changed it.
      const once = { ...body, requestId: randomUUID() };
      const send = () =>
        workerCalls.call<ChangeAnswer>({ user, id, method: 'POST', path: WORKER_PATHS.change(id), body: once });
      const claimAndSend = () =>
        // The lock is held until the worker has committed the change.
        contractLock.runLocked(row.venue, async (tx) => {
          const current = await ownBot({ orm: tx }, user, id);
          const { bot } = readSaved(current.row, current.session).session.state;
          const { watch_pairs } = checkChange(bot, body, language);
          // A stopped bot claims its contracts when it starts.
          if (runsNow(current)) await claimContracts(tx, row, parsePairs(watch_pairs).pairs);
          return send();
        });
      const answer = claimsContracts(row) ? await claimAndSend() : await send();
      if (!answer.ok) throw optionsInvalid(answer.faults.map(describeFault), language);
      const { bot, changes } = answer;
      push(user, bot);
      return { bot, changes: [...changes] };
    },

    resume: ({ user, params: { id }, body }) =>
      workerCalls.call<BotDetail>({ user, id, method: 'POST', path: WORKER_PATHS.resume(id), body }),

    async remove({ user, params: { id }, query }) {
      const bot = await own(user, id);
      const { status } = await views.detail(user, id);
      rejectIfRunning(bot, status);
      const failed = status === 'error';
      if (query.orders !== 'leave' && (failed || mayHaveOrders(bot))) {
        await requireNoOrders(bot, query.orders === 'cancel');
      }
      await deleteBot(database, user, id, failed ? bot.fence : null);
      context.streams().send(user, { type: 'removed', id });
      return { deleted: true };
    },
  };
}
