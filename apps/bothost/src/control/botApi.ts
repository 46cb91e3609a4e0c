import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, BotSummary, CandleHistory, MarketView } from '@heron/contract/bots/entities.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { parseUnits } from '@heron/engine/money/units.ts';
import type { z } from 'zod';
import { journalPage, tradePage } from '../bots/botHistory.ts';
import { createBot, deleteBot, listBots, ownBot, type StoredBot, wantBot } from '../bots/botStore.ts';
import { type BotRow, savedDetail } from '../bots/botView.ts';
import { checkBot, checkChange } from '../bots/checkBot.ts';
import { HOSTED } from '../bots/hosted.ts';
import { deleteKey, listKeys, ownKey } from '../bots/keyViews.ts';
import { refusalText } from '../bots/refusalText.ts';
import { readSaved } from '../bots/savedBot.ts';
import { optionsInvalid } from '../http/optionsInvalid.ts';
import type { Given, Handlers } from '../http/serveCalls.ts';
import { isActive } from '../worker/botJournal.ts';
import type { ChangeAnswer, HaltAnswer } from '../worker/fleet.ts';
import { KEY_PATHS } from '../worker/keyPaths.ts';
import { type healthAnswer, type orderAnswer, type orderBody, WORKER_PATHS } from '../worker/workerApi.ts';
import type { ClientStreams } from './clientStreams.ts';
import type { LateWorker } from './lateWorker.ts';
import type { WorkerLink } from './workerLink.ts';

/** What the calls work on. */
export interface BotGround {
  readonly database: Database;
  readonly demo: boolean;
  now(): number;
  /** The worker of an exchange; @throws CallError `not_found` */
  workerOf(exchange: string): WorkerLink;
  /** The worker of live bots, which is started when it is needed. */
  readonly live: LateWorker;
  streams(): ClientStreams;
}

/** What the host knows of an owner's bots, from their workers or else from what they saved. */
export interface BotViews {
  details(owner: string): Promise<BotDetail[]>;
  detail(owner: string, id: string): Promise<BotDetail>;
}

export function botViews(ground: BotGround): BotViews {
  const { database } = ground;

  /** As its worker has it; null when it does not run or the worker is away. */
  async function running(exchange: string, live: boolean, ids: string[]): Promise<Map<string, BotDetail>> {
    if (ids.length === 0) return new Map();
    try {
      const worker = live ? ground.live.current() : ground.workerOf(exchange);
      if (worker === null) return new Map();
      const details = await worker.call<BotDetail[]>('POST', WORKER_PATHS.details, { ids });
      return new Map(details.map((detail) => [detail.id, detail]));
    } catch {
      return new Map();
    }
  }

  function saved({ row, session }: StoredBot): BotDetail {
    const detail = savedDetail(row, readSaved(row, session), ground.demo, ground.now());
    // Wanted running, and no worker has it yet: it is on its way.
    const coming = row.wanted === 'running' && !isActive(detail.status) && detail.status !== 'error';
    return coming ? { ...detail, status: 'preparing' } : detail;
  }

  async function all(bots: readonly StoredBot[]): Promise<BotDetail[]> {
    const known = new Map<string, BotDetail>();
    for (const exchange of new Set(bots.map(({ row }) => row.exchange))) {
      for (const live of [false, true]) {
        const ids = bots
          .filter(({ row }) => row.exchange === exchange && isLive(row) === live)
          .map(({ row }) => row.id);
        for (const [id, detail] of await running(exchange, live, ids)) known.set(id, detail);
      }
    }
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

/** A detail without what only its page shows. */
export function summaryOf({ options: _, pairViews: __, warnings: ___, ...summary }: BotDetail): BotSummary {
  return summary;
}

/** Answers to the calls of the contract. */
export function botApi(ground: BotGround, views: BotViews): Handlers<typeof botCalls> {
  const { database } = ground;
  const own = (user: string, id: string) => ownBot(database, user, id);

  return {
    async exchanges() {
      return {
        exchanges: await Promise.all(
          HOSTED.map(async ({ name, title, future, defi, port }) => {
            const health = await ground
              .workerOf(name)
              .call<z.infer<typeof healthAnswer>>('GET', WORKER_PATHS.health)
              .catch(() => null);
            const { zh, en } = title;
            return {
              name,
              title: { zh, en },
              future,
              defi,
              port,
              demo: ground.demo,
              reachable: health?.reachable === true,
            };
          }),
        ),
      };
    },

    async markets({ query }) {
      return { markets: await ground.workerOf(query.exchange).call<MarketView[]>('GET', WORKER_PATHS.markets) };
    },

    async list({ user }) {
      return { bots: (await views.details(user)).map(summaryOf) };
    },

    async create({ user, body, language }) {
      checkBot(body.options, language);
      const { row } = await createBot(database, user, body, ground.now());
      const detail = await views.detail(user, row.id);
      ground.streams().tell(user, { type: 'bot', bot: summaryOf(detail) });
      return detail;
    },

    get: ({ user, params }) => views.detail(user, params.id),

    async start({ user, params, body }) {
      const { row, session } = await own(user, params.id);
      // One that runs already needs no second word.
      const asleep = !isActive(readSaved(row, session).session.state.bot.status) && row.wanted !== 'running';
      if (isLive(row) && asleep && body.confirm !== row.name)
        throw new CallError('live_not_confirmed', { name: row.name });
      await wantBot(database, row.id, 'running');
      return act(row, WORKER_PATHS.start(row.id), () => views.detail(user, row.id));
    },

    async stop({ user, params }) {
      const { row } = await own(user, params.id);
      await wantBot(database, row.id, 'stopped');
      return act(row, WORKER_PATHS.stop(row.id), () => views.detail(user, row.id));
    },

    async remove({ user, params }) {
      await deleteBot(database, user, params.id);
      ground.streams().tell(user, { type: 'removed', id: params.id });
      return { deleted: true };
    },

    async order({ user, params, body, language }) {
      const { row, session } = await own(user, params.id);
      const { bot } = readSaved(row, session).session.state;
      const command = commandOf(body, bot.options.sell_pct);
      if (!bot.pairs.some(({ pair }) => pair === body.pair)) {
        throw new CallError('pair_unknown', { pair: body.pair });
      }
      const worker = await workerOf(row);
      const answer = await worker.call<z.infer<typeof orderAnswer>>('POST', WORKER_PATHS.order(row.id), command);
      if (answer.ok) return { intentId: answer.intentId };
      throw refused(answer.gate, language);
    },

    async change({ user, params, body, language }) {
      const { row, session } = await own(user, params.id);
      checkChange(readSaved(row, session).session.state.bot, body, language);
      const worker = await workerOf(row);
      const answer = await worker.call<ChangeAnswer>('POST', WORKER_PATHS.change(row.id), body);
      if (!answer.ok) throw optionsInvalid(answer.faults, language);
      const { bot, changes } = answer;
      ground.streams().tell(user, { type: 'bot', bot: summaryOf(bot) });
      return { bot, changes: [...changes] };
    },

    async halt({ user, params, body }) {
      const { row } = await own(user, params.id);
      const worker = await workerOf(row);
      const { pair = null, close } = body;
      return worker.call<HaltAnswer>('POST', WORKER_PATHS.halt(row.id), { pair, close });
    },

    async haltAll({ user, body }) {
      const bots = (await listBots(database, user)).filter(({ row }) => isLive(row));
      const answers = await Promise.all(
        bots.map(async ({ row }) => {
          const worker = await workerOf(row);
          return worker
            .call<HaltAnswer>('POST', WORKER_PATHS.halt(row.id), { pair: null, close: body.close })
            .catch(async (error: unknown): Promise<HaltAnswer | null> => {
              // Nothing of it is at work.
              if (error instanceof CallError && error.code === 'bot_not_running') return null;
              return { confirmed: false, bot: await views.detail(user, row.id) };
            });
        }),
      );
      return { bots: answers.filter((answer) => answer !== null) };
    },

    async resume({ user, params, body }) {
      const { row } = await own(user, params.id);
      return (await workerOf(row)).call<BotDetail>('POST', WORKER_PATHS.resume(row.id), body);
    },

    async candles({ user, params, query }) {
      const { row } = await own(user, params.id);
      return (await workerOf(row)).call<CandleHistory>('GET', WORKER_PATHS.candles(row.id, query.pair));
    },

    async trades({ user, params, query }) {
      const { row } = await own(user, params.id);
      return tradePage(database, row.id, query);
    },

    async keys({ user }) {
      return { keys: await listKeys(database, user) };
    },

    async addKey({ user, body }) {
      const { id } = await (await liveWorker()).call<{ id: string }>('POST', KEY_PATHS.add, { owner: user, ...body });
      return ownKey(database, user, id);
    },

    async testKey({ user, params }) {
      await (await liveWorker()).call('POST', KEY_PATHS.test, { owner: user, id: params.id });
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

  async function workerOf(row: BotRow): Promise<WorkerLink> {
    return isLive(row) ? liveWorker() : ground.workerOf(row.exchange);
  }

  async function liveWorker(): Promise<WorkerLink> {
    try {
      return await ground.live.get();
    } catch {
      throw new CallError('unavailable');
    }
  }

  /** What is wanted is written down already: a worker that is away brings it about when it is back. */
  async function act(row: BotRow, path: string, fallback: () => Promise<BotDetail>): Promise<BotDetail> {
    try {
      return await (await workerOf(row)).call<BotDetail>('POST', path);
    } catch (error) {
      if (error instanceof CallError && error.code === 'unavailable') return fallback();
      throw error;
    }
  }
}

/** @param share `sell_pct`: 0 switches strategy exits off, not sales by hand. @see options.md 4.3 */
function commandOf(body: Given<typeof botCalls.order>['body'], share: number): z.infer<typeof orderBody> {
  const { requestId, pair, side, type: order } = body;
  if (side === 'sell') return { type: 'sell', pair, order, percent: body.percent ?? (share || 100), requestId };
  const value = body.value === undefined ? null : parseUnits(body.value);
  if (value === null || value <= 0) throw new CallError('invalid_request', { reason: 'value' });
  return { type: 'buy', pair, order, value, requestId };
}

function refused(gate: string, language: Language): CallError {
  return new CallError('order_refused', { reason: refusalText(gate, language), gate });
}
