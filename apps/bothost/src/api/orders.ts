import { randomUUID } from 'node:crypto';
import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import { type Price, parseUnits, percentRatio } from '@heron/engine/money/units.ts';
import type { OrderPreview } from '@heron/engine/preview/previewOrder.ts';
import type { EntryPricing } from '@heron/engine/state/botEvents.ts';
import type { ExitPrices } from '@heron/engine/state/priceExit.ts';
import type { z } from 'zod';
import type { SetExitAnswer } from '../fleet/fleet.ts';
import type { HaltAnswer } from '../fleet/killSwitch.ts';
import type { Given } from '../http/serveCalls.ts';
import { listBots, ownBot } from '../store/botStore.ts';
import { wantHalt } from '../store/halts.ts';
import { readSaved } from '../store/savedBot.ts';
import { type orderAnswer, type previewBody, WORKER_PATHS } from '../worker/workerApi.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';
import { createCallLimiter } from './callLimiter.ts';
import { hasNothingToHalt, isLive, watchedPairs } from './ownBots.ts';
import { refusalText } from './refusalText.ts';

type OrderCalls = 'order' | 'previewOrder' | 'cancelOrder' | 'setExit' | 'removeExit' | 'halt' | 'haltAll';

/** Previews a minute: more than a client requests while its user types. */
const PREVIEWS = 300;

/** Creates the handlers of the calls with which an owner trades: manual orders, price exits, cancels, and the kill switch. */
export function createOrderHandlers(context: ApiContext): BotHandlers<OrderCalls> {
  const { database, views, workerCalls } = context;
  const limitPreviews = createCallLimiter(PREVIEWS);

  /** @throws CallError `pair_unknown` */
  async function commandOf(user: string, id: string, body: ManualOrder): Promise<ManualCommand> {
    const { row, session } = await ownBot(database, user, id);
    const { bot } = readSaved(row, session).session.state;
    if (!bot.pairs.some(({ pair }) => pair === body.pair)) throw new CallError('pair_unknown', { pair: body.pair });
    return toCommand(body, bot.options.sell_pct);
  }

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
      const command = amountOf(await commandOf(user, id, body), body);
      const answer = await workerCalls.call<z.infer<typeof orderAnswer>>({
        ...{ user, id, method: 'POST', path: WORKER_PATHS.order(id) },
        body: { ...command, requestId: body.requestId },
      });
      if (answer.ok) return { intentId: answer.intentId };
      throw orderRefused(answer.gate, language);
    },

    async previewOrder({ user, params: { id }, body, language }) {
      await limitPreviews(user);
      const command = await commandOf(user, id, body);
      const hasAmount = body.value !== undefined || body.quantity !== undefined;
      const { refused, ...preview } = await workerCalls.call<OrderPreview>({
        ...{ user, id, method: 'POST', path: WORKER_PATHS.previewOrder(id) },
        body: { ...(hasAmount ? amountOf(command, body) : command), requestId: randomUUID() },
      });
      return { ...preview, refused: refused && { gate: refused.gate, reason: refusalText(refused.gate, language) } };
    },

    async setExit({ user, params: { id }, body, language }) {
      const { pair, percent, replaces, requestId } = body;
      const command = { pair, percent, requestId, ...exitPricesOf(body), ...(replaces !== undefined && { replaces }) };
      const answer = await workerCalls.call<SetExitAnswer>({
        ...{ user, id, method: 'POST', path: WORKER_PATHS.setExit(id) },
        body: { type: 'set_exit', ...command },
      });
      if (answer.ok) return answer.bot;
      throw orderRefused(answer.gate, language);
    },

    removeExit: ({ user, params: { id }, body }) =>
      workerCalls.call<BotDetail>({ user, id, method: 'POST', path: WORKER_PATHS.removeExit(id), body }),

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

type ManualOrder = Omit<Given<typeof botCalls.order>['body'], 'requestId'>;
type ManualCommand = DistributiveOmit<z.infer<typeof previewBody>, 'requestId'>;
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/**
 * Returns the command of an order, of an entry without its amount.
 *
 * @param defaultPercent share of a position to sell, 0–100, when the order names none
 */
function toCommand(body: ManualOrder, defaultPercent: number): ManualCommand {
  const { pair, side, slippagePercent, stopLoss, takeProfit } = body;
  const source = body.source !== undefined && { source: body.source };
  refuseUnused(body);
  if (side === 'buy') {
    const exits = (stopLoss !== undefined || takeProfit !== undefined) && { exits: exitPricesOf(body) };
    return { type: 'buy', pair, ...pricingOf(body), ...exits, ...source, ...(body.short === true && { short: true }) };
  }
  const order = body.type;
  if (order !== 'maker' && order !== 'taker') throw new CallError('invalid_request', { reason: 'type' });
  const percent = body.percent ?? (defaultPercent || 100);
  // The price of a maker order limits it already.
  const limit = order === 'taker' && { slippage: percentRatio(slippagePercent) };
  return { type: 'sell', pair, order, percent, ...limit, ...source };
}

/** Refuses prices that the order would ignore: its owner relies on them. @throws CallError `invalid_request` */
function refuseUnused({ side, type, price, stopLoss, takeProfit }: ManualOrder): void {
  const hasNoPrice = side === 'sell' || type === 'maker' || type === 'taker';
  if (hasNoPrice && price !== undefined) throw new CallError('invalid_request', { reason: 'price' });
  if (side === 'buy') return;
  if (stopLoss !== undefined) throw new CallError('invalid_request', { reason: 'stopLoss' });
  if (takeProfit !== undefined) throw new CallError('invalid_request', { reason: 'takeProfit' });
}

/** Returns how an entry gets its price. @throws CallError `invalid_request` without a price that it needs */
function pricingOf({ type: order, price, slippagePercent }: ManualOrder): EntryPricing {
  const slippage = percentRatio(slippagePercent);
  switch (order) {
    case 'maker':
      return { order };
    case 'taker':
      return { order, slippage };
    case 'stop':
      return { order, slippage, price: priceOf(price, 'price') };
    default:
      return { order, price: priceOf(price, 'price') };
  }
}

/** Returns the prices of a price exit, of which it has at least one. @throws CallError `invalid_request` */
function exitPricesOf({ stopLoss, takeProfit }: Pick<ManualOrder, 'stopLoss' | 'takeProfit'>): ExitPrices {
  if (stopLoss === undefined && takeProfit === undefined)
    throw new CallError('invalid_request', { reason: 'stopLoss' });
  return {
    stopLoss: stopLoss === undefined ? 0 : priceOf(stopLoss, 'stopLoss'),
    takeProfit: takeProfit === undefined ? 0 : priceOf(takeProfit, 'takeProfit'),
  };
}

/** Maximum price of an order, 45 million: with slippage it stays within the exact range. */
const MAX_PRICE: Price = 2 ** 52;

/** Parses a price. @throws CallError `invalid_request` unless it is above 0 and at most {@link MAX_PRICE} */
function priceOf(text: string | undefined, field: string): Price {
  const price = text === undefined ? null : parseUnits(text);
  if (price === null || price <= 0 || price > MAX_PRICE) throw new CallError('invalid_request', { reason: field });
  return price;
}

/** Adds the amount of an entry. @throws CallError `invalid_request` unless it has one */
function amountOf(command: ManualCommand, { value, quantity, limitToAvailable }: ManualOrder): ManualCommand {
  if (command.type === 'sell') return command;
  const limit = limitToAvailable === true && { limitToAvailable };
  if (quantity !== undefined && value === undefined && !quantity.startsWith('-')) {
    return { ...command, ...limit, quantity };
  }
  const units = value === undefined || quantity !== undefined ? null : parseUnits(value);
  if (units === null || units <= 0) throw new CallError('invalid_request', { reason: 'value' });
  return { ...command, ...limit, value: units };
}

function orderRefused(gate: string, language: Language): CallError {
  return new CallError('order_refused', { reason: refusalText(gate, language), gate });
}
