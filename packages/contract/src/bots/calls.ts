import type { Period } from '@heron/engine/market/period.ts';
import { z } from 'zod';
import { defineCall } from '../http/call.ts';
import * as e from './entities.ts';
import { keySecret } from './keySecret.ts';
import { newBot } from './newBot.ts';
import { botAlarms, botNotification, notificationId } from './notifications.ts';
import { orderPreview } from './orderPreview.ts';
import { pairedState } from './pairedHosts.ts';
import { portfolio } from './portfolio.ts';
import { visibleName } from './visibleName.ts';

/** Characters that an HTTP header can hold. */
const KEY_LETTERS = /^[\x21-\x7e]+$/;

/** The call may have to start the worker of an exchange before that worker can send its request. */
const WORKER_CALL_TIMEOUT_MS = 40_000;

/** Candle lengths that every venue offers. */
export const PAST_PERIODS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const satisfies readonly Period[];

/** Maximum number of a position: that of an `integer` column. */
const MAX_POSITION = 2 ** 31 - 1;

const byId = z.object({ id: e.botId });

/** Prices at which a position is exited; whichever is reached first removes the other. @see docs/exits.md#price-exits */
const exitPrices = {
  stopLoss: e.decimal.optional(),
  takeProfit: e.decimal.optional(),
};

/** A manual order. A preview of an entry may lack the amount. */
const manualOrder = {
  pair: e.pair,
  side: e.side,
  /** The last three need `price`, and are for entries. @see docs/orders.md#orders-by-hand */
  type: z.enum(['maker', 'taker', 'limit', 'post_only', 'stop']),
  /** Buy: limit price, or the price that a stop entry waits for. Refused with other types. */
  price: e.decimal.optional(),
  /** Buy: stop-loss and take-profit of the whole position that it opens. Refused for a sale. */
  ...exitPrices,
  /** Buy: what it may cost in the quote currency with the fee, on futures margin and fee. Sell: not used. */
  value: e.decimal.optional(),
  /** Buy: quantity of the asset, instead of `value`. */
  quantity: e.decimal.optional(),
  /** Buy: an amount above what is available is lowered to it instead of being refused. */
  limitToAvailable: z.boolean().optional(),
  /** Buy, futures: opens a short instead, or adds to one. */
  short: z.boolean().optional(),
  /** Sell: percent of the position. Default: `sell_pct` of the bot, or all where that is 0. */
  percent: z.number().gt(0).max(100).optional(),
  /** Maximum distance of the fills of a taker order from the mid price, in percent. @see docs/display.md#orders-by-hand */
  slippagePercent: z.number().min(0.1).max(50).default(2),
  /** Origin of the order, which the journal shows: a signal from outside. Absent for one that a user has placed. */
  source: z.literal('signal').optional(),
};

/** Maximum size of the body of a call, in bytes. The options of a bot, the largest content, take a few kilobytes. */
export const BOT_BODY_BYTES = 256 * 1024;

/** Calls of the bot host. The platform forwards `/bot/…` to it for the signed-in user. */
export const botCalls = {
  exchanges: defineCall({
    method: 'GET',
    path: '/bot/exchanges',
    summary: 'Lists the venues of this host with their state',
    response: z.object({
      exchanges: z.array(
        z.object({
          /** Id in the engine's table of venues, which has its other properties. */
          venue: e.venueId,
          /** Whether market data can be read; null while the check runs. */
          reachable: z.boolean().nullable(),
          /** Whether the exchange accepts orders from the bot host's location; null while that is unknown. */
          trading: z.boolean().nullable(),
          /** Describes the fault, such as a clock difference, and its remedy; null without one. */
          problem: z.object({ zh: z.string(), en: z.string() }).nullable(),
          /** Null while the exchange accepts requests. */
          pause: e.exchangePause.nullable().default(null),
          /** State of the market data connection, one entry for each process of this host that has one. */
          feeds: z.array(e.feedHealth),
          /** Whether live bots can trade there, or paper bots only. */
          live: z.boolean(),
          /** Whether the exchange reports the withdrawal permission of a key. Otherwise the owner of the key confirms it. */
          tellsWithdrawals: z.boolean(),
        }),
      ),
    }),
  }),
  markets: defineCall({
    method: 'GET',
    path: '/bot/markets',
    summary: 'Lists the pairs of a venue with their tick and step sizes and 24-hour figures, largest volume first',
    query: z.object({ venue: e.venueId }),
    response: z.object({ markets: z.array(e.market) }),
  }),
  marketCandles: defineCall({
    method: 'GET',
    path: '/bot/candles',
    summary: 'Returns closed candles of a pair and period: the newest, or the newest that had closed by a time',
    query: z.object({
      venue: e.venueId,
      pair: e.pair,
      period: e.period,
      before: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
    response: e.candleHistory,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  pastCandles: defineCall({
    method: 'GET',
    path: '/bot/candles/past',
    summary:
      'Returns closed candles of a time range, for backtests: at most 10,000, and only those that arrive in time. Continue at `until`',
    query: z.object({
      venue: e.venueId,
      pair: e.pair,
      period: z.enum(PAST_PERIODS),
      from: z.coerce.number().int().min(0),
      to: z.coerce.number().int().min(0),
    }),
    response: e.pastCandles,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  marketTerms: defineCall({
    method: 'GET',
    path: '/bot/markets/terms',
    summary:
      'Returns the trading rules of a market and the funding of a futures contract in a time range, for backtests',
    query: z.object({
      venue: e.venueId,
      pair: e.pair,
      from: z.coerce.number().int().min(0),
      to: z.coerce.number().int().min(0),
    }),
    response: e.marketTerms,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  list: defineCall({
    method: 'GET',
    path: '/bot/bots',
    summary: "Lists the caller's bots, newest first",
    response: z.object({
      bots: z.array(e.botSummary),
      /** Paired bot hosts of the caller; the bots of those that are not `up` are missing. Absent without paired hosts. */
      hosts: z.array(pairedState).optional(),
      /** This Heron's own bot host does not respond, so its bots are missing. */
      ownAway: z.literal(true).optional(),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/bot/bots',
    summary: 'Creates a bot without starting it',
    body: newBot,
    response: e.botDetail,
  }),
  get: defineCall({
    method: 'GET',
    path: '/bot/bots/:id',
    summary: 'Returns a bot',
    params: byId,
    response: e.botDetail,
  }),
  rename: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/name',
    summary: 'Renames a bot, running or not. A live bot is started by its new name from then on',
    params: byId,
    body: z.strictObject({ name: visibleName }),
    response: e.botDetail,
  }),
  start: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/start',
    summary:
      'Starts a bot. Does nothing if it runs already. A live bot trades with real money, so its name must be repeated',
    params: byId,
    body: z.strictObject({ confirm: z.string().max(80).optional() }),
    response: e.botDetail,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  stop: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/stop',
    summary: 'Stops a bot and cancels all its orders, including stop orders at the exchange. Positions stay open',
    params: byId,
    response: e.botDetail,
  }),
  drain: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/drain',
    summary:
      'Stops a bot once it holds no position: cancels its entries, makes no new ones, and closes positions by their exits',
    params: byId,
    response: e.botDetail,
  }),
  close: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/close',
    summary:
      'Stops a bot once it holds no position: cancels its entries, makes no new ones, and closes all positions at the market price',
    params: byId,
    response: e.botDetail,
  }),
  resetPaper: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/reset',
    summary:
      'Resets the account of a paper bot without positions to its paper capital. Its name must be repeated. Trades and journal stay; figures restart',
    params: byId,
    body: z.strictObject({ confirm: z.string().max(80) }),
    response: e.botDetail,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/bot/bots/:id',
    summary: 'Deletes a stopped bot with its history. A live bot with open orders at the exchange requires `orders`',
    params: byId,
    query: z.object({
      /** `cancel` cancels them first. `leave` sends no request to the exchange, so they may remain there. */
      orders: z.enum(['cancel', 'leave']).optional(),
    }),
    response: z.object({ deleted: z.literal(true) }),
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  notifications: defineCall({
    method: 'GET',
    path: '/bot/notices',
    summary: "Lists the caller's notifications, newest first, with the number of unseen ones",
    query: z.object({
      bot: e.botId.optional(),
      /** `urgent` selects the notifications that may need an action of the owner. */
      only: z.literal('urgent').optional(),
      /** Cursor: `next` of the previous page. */
      before: z.string().max(60).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    response: z.object({
      notices: z.array(botNotification),
      next: z.string().nullable(),
      unseen: z.number().int().min(0),
    }),
  }),
  alarms: defineCall({
    method: 'GET',
    path: '/bot/notices/alarms',
    summary: 'Returns the number of unseen urgent notifications and the newest one, for each bot that has any',
    response: z.object({ bots: z.array(botAlarms) }),
  }),
  markNotificationsSeen: defineCall({
    method: 'POST',
    path: '/bot/notices/seen',
    summary: 'Marks the given notifications, or all, as seen',
    body: z.union([
      z.strictObject({ ids: z.array(notificationId).min(1).max(200) }),
      z.strictObject({ all: z.literal(true) }),
    ]),
    response: z.object({ unseen: z.number().int().min(0) }),
  }),
  keys: defineCall({
    method: 'GET',
    path: '/bot/keys',
    summary: "Lists the caller's exchange keys, without their secrets",
    response: z.object({ keys: z.array(e.exchangeKey) }),
  }),
  addKey: defineCall({
    method: 'POST',
    path: '/bot/keys',
    summary: 'Checks the permissions of an exchange key and stores it. The key is never shown again',
    body: z.strictObject({
      venue: e.venueId,
      label: visibleName,
      key: z.string().trim().min(8).max(200).regex(KEY_LETTERS),
      /** An HMAC secret or, where the exchange supports it, an Ed25519 private key as PEM text. */
      secret: keySecret,
      /** The owner confirms that the key may not withdraw. Required where the exchange does not report the permission. */
      withdrawOff: z.boolean().default(false),
    }),
    response: e.exchangeKey,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  addDemoKey: defineCall({
    method: 'POST',
    path: '/bot/keys/demo',
    summary: 'Stores the key of the demo market on this machine, whose account all its users share',
    body: z.strictObject({ venue: e.venueId, label: visibleName }),
    response: e.exchangeKey,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  prepareKeys: defineCall({
    method: 'POST',
    path: '/bot/keys/prepare',
    summary: 'Starts the process that checks keys of a venue, and waits some seconds until it is ready',
    body: z.strictObject({ venue: e.venueId }),
    response: z.object({ ready: z.boolean() }),
  }),
  testKey: defineCall({
    method: 'POST',
    path: '/bot/keys/:id/test',
    summary: 'Checks the permissions of a key at the exchange again',
    params: z.object({ id: z.uuid() }),
    response: e.exchangeKey,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  keyBalance: defineCall({
    method: 'GET',
    path: '/bot/keys/:id/balance',
    summary: 'Reads from the exchange how much of a currency a new bot could use',
    params: z.object({ id: z.uuid() }),
    query: z.strictObject({ currency: z.string().regex(/^[A-Z0-9]{2,12}$/) }),
    response: e.keyBalance,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  removeKey: defineCall({
    method: 'DELETE',
    path: '/bot/keys/:id',
    summary: 'Deletes an exchange key that no bot uses',
    params: z.object({ id: z.uuid() }),
    response: z.object({ deleted: z.literal(true) }),
  }),
  order: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/orders',
    summary: 'Places a manual order. The same requestId is executed only once',
    params: byId,
    body: z.strictObject({ requestId: z.uuid(), ...manualOrder }),
    response: z.object({ intentId: z.string() }),
  }),
  previewOrder: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/orders/preview',
    summary: 'Returns what a manual order would do now, or why it would be refused. Nothing is placed or recorded',
    params: byId,
    body: z.strictObject(manualOrder),
    response: orderPreview,
  }),
  setExit: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/exits',
    summary:
      'Sets a price exit of a position: a stop-loss, a take-profit, or both. The same requestId is executed only once',
    params: byId,
    body: z.strictObject({
      requestId: z.uuid(),
      pair: e.pair,
      ...exitPrices,
      /** Share of the position that it exits, of what is held then. */
      percent: z.number().gt(0).max(100).default(100),
      /** Number of the price exit that it replaces. */
      replaces: z.number().int().min(1).optional(),
    }),
    response: e.botDetail,
  }),
  removeExit: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/exits/remove',
    summary: 'Removes a price exit that has not triggered',
    params: byId,
    body: z.strictObject({ pair: e.pair, exit: z.number().int().min(1) }),
    response: e.botDetail,
  }),
  cancelOrder: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/orders/cancel',
    summary: 'Cancels the remainder of an open order. Orders of an exit table cannot be cancelled',
    params: byId,
    body: z.strictObject({ clientOrderId: z.string().max(80) }),
    response: e.botDetail,
  }),
  change: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/options',
    summary: 'Changes options and strategy parameters of a bot, running or not. Omitted options stay unchanged',
    params: byId,
    body: e.setupChange,
    response: z.object({ bot: e.botDetail, changes: z.array(e.optionChange) }),
  }),
  halt: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/halt',
    summary:
      'Kill switch: cancels every order of one or all pairs, sells their positions with `close`, and pauses the pairs',
    params: byId,
    body: z.strictObject({ pair: e.pair.optional(), close: z.boolean() }),
    response: e.halted,
  }),
  haltAll: defineCall({
    method: 'POST',
    path: '/bot/halt',
    summary: 'Kill switch for all running live bots of the caller and, with `close`, for those with positions',
    body: z.strictObject({ close: z.boolean() }),
    response: z.object({
      bots: z.array(e.halted),
      /** Paired bot hosts for which the outcome is unknown. */
      away: z.array(pairedState.pick({ id: true, name: true })).optional(),
      /** The outcome is unknown for this Heron's own bot host. */
      ownAway: z.literal(true).optional(),
    }),
    timeoutMs: 20_000,
  }),
  resume: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/resume',
    summary: 'Resumes a paused pair, at once or when its bot runs again',
    params: byId,
    body: z.strictObject({ pair: e.pair }),
    response: e.botDetail,
  }),
  candles: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/candles',
    summary: 'Returns the closed candles of a pair that the bot has loaded, with the values of its strategy',
    params: byId,
    query: z.object({ pair: e.pair }),
    response: e.candleHistory,
  }),
  trades: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/trades',
    summary: 'Lists trades, newest first',
    params: byId,
    query: z.object({
      pair: e.pair.optional(),
      /** Number of a position: only trades with fills that opened, changed or closed it. */
      position: z.coerce.number().int().min(1).max(MAX_POSITION).optional(),
      before: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ trades: z.array(e.trade), next: z.string().nullable() }),
  }),
  positions: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/positions',
    summary: 'Lists closed positions as columns, the one that closed last first',
    params: byId,
    query: z.object({
      before: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    }),
    response: z.object({ positions: e.closedPositions, next: z.string().nullable() }),
  }),
  equity: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/equity',
    summary: 'Returns the equity of a bot since a time, or since its start',
    params: byId,
    query: z.object({
      from: z.coerce.number().int().min(0).default(0),
      /** Maximum number of points, evenly spread. */
      points: z.coerce.number().int().min(2).max(1_000).default(300),
    }),
    response: e.equityHistory,
  }),
  figures: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/figures',
    summary: 'Returns the realised result of a bot by pair, by reason and by month',
    params: byId,
    /** IANA name of the time zone that defines the months. */
    query: z.object({ zone: z.string().max(60).default('UTC') }),
    response: e.botFigures,
  }),
  profits: defineCall({
    method: 'GET',
    path: '/bot/profits',
    summary: "Returns the recent profit of the caller's bots: since a time, and over the last 24 hours",
    query: z.object({ since: z.coerce.number().int().min(0) }),
    response: z.object({ bots: z.array(e.recentProfit) }),
  }),
  portfolio: defineCall({
    method: 'GET',
    path: '/bot/portfolio',
    summary: "Adds up the money, risk and results of the caller's bots, by paper or live, environment and currency",
    /** IANA name of the time zone that defines the days. */
    query: z.object({ zone: z.string().max(60).default('UTC') }),
    response: portfolio.extend({
      /** Paired bot hosts of the caller; the bots of those that are not `up` are not counted. Absent without paired hosts. */
      hosts: z.array(pairedState).optional(),
      /** This Heron's own bot host does not respond, so its bots are not counted. */
      ownAway: z.literal(true).optional(),
    }),
  }),
  journal: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/journal',
    summary: 'Lists journal entries, newest first',
    params: byId,
    query: z.object({
      pair: e.pair.optional(),
      kind: e.noteKind.optional(),
      /** Id of a parent order: only the entries of its begin, its orders, its fills and its end. */
      order: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      before: z.coerce.number().int().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: z.object({ entries: z.array(e.journalEntry), next: z.number().int().nullable() }),
  }),
} as const;
