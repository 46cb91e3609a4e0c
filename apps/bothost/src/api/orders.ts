import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { parseUnits, percentRatio } from '@heron/engine/money/units.ts';
import type { z } from 'zod';
import type { HaltAnswer } from '../fleet/killSwitch.ts';
import type { Given } from '../http/serveCalls.ts';
import { listBots, ownBot } from '../store/botStore.ts';
import { wantHalt } from '../store/halts.ts';
import { readSaved } from '../store/savedBot.ts';
import { type orderAnswer, type orderBody, WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';
import { hasNothingToHalt, isLive, watchedPairs } from './ownBots.ts';
import { refusalText } from './refusalText.ts';

/** Creates the handlers of the calls with which an owner trades: manual orders, cancels, and the kill switch. */
export function createOrderHandlers(context: ApiContext): BotHandlers<'order' | 'cancelOrder' | 'halt' | 'haltAll'> {
  const { database, views, workerCalls } = context;

  /** Records a halt before a worker is called, so that it takes effect also when no worker can be reached. */
  async function halt(user: string, id: string, pair: string | null, close: boolean): Promise<HaltAnswer> {
    await wantHalt(database, id, { pair, close }, context.now());
    const answer = await workerCalls.tryPost<HaltAnswer>({
      ...{ user, id, path: WORKER_PATHS.halt(id) },
      body: { pair, close },
    });
    return answer ?? { confirmed: false, bot: await views.detail(user, id) };
  }

  return {
    async order({ user, params: { id }, body, language }) {
      const { row, session } = await ownBot(database, user, id);
      const { bot } = readSaved(row, session).session.state;
      const command = commandOf(body, bot.options.sell_pct);
      if (!bot.pairs.some(({ pair }) => pair === body.pair)) {
        throw new CallError('pair_unknown', { pair: body.pair });
      }
      const answer = await workerCalls.call<z.infer<typeof orderAnswer>>({
        ...{ user, id, method: 'POST', path: WORKER_PATHS.order(id) },
        body: command,
      });
      if (answer.ok) return { intentId: answer.intentId };
      throw orderRefused(answer.gate, language);
    },

    cancelOrder: ({ user, params: { id }, body }) =>
      workerCalls.call<BotDetail>({ user, id, method: 'POST', path: WORKER_PATHS.cancelOrder(id), body }),

    async halt({ user, params: { id }, body }) {
      const { pair = null, close } = body;
      const { row, session: text } = await ownBot(database, user, id);
      const { session, unreadable } = readSaved(row, text);
      if (unreadable === null && pair !== null && !watchedPairs(session.state.bot.pairs).includes(pair)) {
        throw new CallError('pair_not_watched', { pair });
      }
      return halt(user, id, pair, close);
    },

    async haltAll({ user, body }) {
      const bots = (await listBots(database, user)).filter(
        (bot) => isLive(bot.row) && !hasNothingToHalt(bot, body.close),
      );
      const answers = bots.map(({ row }) =>
        halt(user, row.id, null, body.close).catch((error: unknown) => {
          // A bot that is deleted meanwhile must not keep others from being halted.
          if (error instanceof CallError && error.code === 'not_found') return null;
          throw error;
        }),
      );
      return { bots: (await Promise.all(answers)).filter((answer) => answer !== null) };
    },
  };
}

/** @param defaultPercent share of a position to sell, 0–100, when the order names none */
function commandOf(body: Given<typeof botCalls.order>['body'], defaultPercent: number): z.infer<typeof orderBody> {
  const { requestId, pair, side, type: order } = body;
  // The price of a maker order limits it already.
  const limit = order === 'taker' && { slippage: percentRatio(body.slippagePercent) };
  if (side === 'sell') {
    return { type: 'sell', pair, order, percent: body.percent ?? (defaultPercent || 100), ...limit, requestId };
  }
  const value = body.value === undefined ? null : parseUnits(body.value);
  if (value === null || value <= 0) throw new CallError('invalid_request', { reason: 'value' });
  return { type: 'buy', pair, order, value, ...limit, requestId, ...(body.short === true && { short: true }) };
}

function orderRefused(gate: string, language: Language): CallError {
  return new CallError('order_refused', { reason: refusalText(gate, language), gate });
}
