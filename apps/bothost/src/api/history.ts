import type { CandleHistory } from '@heron/contract/bots/entities.ts';
import { equityHistory, recentProfits } from '../store/botEquity.ts';
import { botFigures } from '../store/botFigures.ts';
import { journalPage, positionPage, tradePage } from '../store/botHistory.ts';
import { ownBot } from '../store/botStore.ts';
import { WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';

type HistoryCalls = 'candles' | 'trades' | 'positions' | 'equity' | 'figures' | 'profits' | 'journal';

/** Creates the handlers of the calls about the history of bots. */
export function createHistoryHandlers({ database, now, workerCalls }: ApiContext): BotHandlers<HistoryCalls> {
  return {
    candles: ({ user, params: { id }, query }) =>
      workerCalls.call<CandleHistory>({ user, id, method: 'GET', path: WORKER_PATHS.candles(id, query.pair) }),

    async trades({ user, params, query }) {
      const { row } = await ownBot(database, user, params.id);
      return tradePage(database, row.id, query);
    },

    async positions({ user, params, query }) {
      const { row } = await ownBot(database, user, params.id);
      return positionPage(database, row.id, query);
    },

    async equity({ user, params, query }) {
      const { row } = await ownBot(database, user, params.id);
      return equityHistory(database, row.id, query, now());
    },

    async figures({ user, params, query }) {
      return botFigures(database, await ownBot(database, user, params.id), query.zone);
    },

    async profits({ user, query }) {
      return { bots: await recentProfits(database, user, query.since, now()) };
    },

    async journal({ user, params, query }) {
      const { row } = await ownBot(database, user, params.id);
      return journalPage(database, row.id, query);
    },
  };
}
