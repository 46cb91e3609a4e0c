import type { Period } from '@heron/engine/market/period.ts';
import { z } from 'zod';
import { defineCall } from '../http/call.ts';
import * as e from './entities.ts';
import { keySecret } from './keySecret.ts';
import { newBot } from './newBot.ts';
import { botAlarms, botNotification, notificationId } from './notifications.ts';
import { pairedState } from './pairedHosts.ts';
import { visibleName } from './visibleName.ts';

/** Characters that an HTTP header can hold. */
const KEY_LETTERS = /^[\x21-\x7e]+$/;

/** The call may have to start the worker of an exchange before that worker can send its request. */
const WORKER_CALL_TIMEOUT_MS = 40_000;

/** Candle lengths that every venue offers. */
export const PAST_PERIODS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const satisfies readonly Period[];

const byId = z.object({ id: e.botId });

/** Maximum size of the body of a call, in bytes. The options of a bot, the largest content, take a few kilobytes. */
export const BOT_BODY_BYTES = 256 * 1024;

/** Calls of the bot host. The platform forwards `/bot/…` to it for the signed-in user. */
export const botCalls = {
  exchanges: defineCall({
    method: 'GET',
    path: '/bot/exchanges',
    summary: 'Venues that this host serves, and whether each can be reached',
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
    summary: 'Pairs of a venue with their grids and 24-hour figures, largest volume first',
    query: z.object({ venue: e.venueId }),
    response: z.object({ markets: z.array(e.market) }),
  }),
  marketCandles: defineCall({
    method: 'GET',
    path: '/bot/candles',
    summary: 'Closed candles of any pair and length: the newest, or the newest that had closed by a time',
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
      'Closed candles of a stretch of time, for backtests: at most 10,000, and only what comes in time; ask on from `until`',
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
    summary: 'Rules of a market, and what a future has paid in a stretch of time, for backtests',
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
    summary: "The caller's bots, newest first",
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
    summary: 'Creates a bot; it does not start yet',
    body: newBot,
    response: e.botDetail,
  }),
  get: defineCall({ method: 'GET', path: '/bot/bots/:id', summary: 'One bot', params: byId, response: e.botDetail }),
  start: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/start',
    summary:
      'Starts a bot; does nothing to one that runs. A live bot trades with real money: its name must be repeated',
    params: byId,
    body: z.object({ confirm: z.string().max(80).optional() }),
    response: e.botDetail,
  }),
  stop: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/stop',
    summary: 'Stops a bot: all its orders are cancelled, also stops at the exchange; positions stay as they are',
    params: byId,
    response: e.botDetail,
  }),
  drain: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/drain',
    summary:
      'Ends a bot when it holds nothing any more: entries are taken back, none follows, what is held is left by its exits',
    params: byId,
    response: e.botDetail,
  }),
  resetPaper: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/reset',
    summary:
      'Begins the account of a paper bot that holds nothing anew, with its paper capital; its name must be repeated. Trades and journal stay, figures count from here',
    params: byId,
    body: z.object({ confirm: z.string().max(80) }),
    response: e.botDetail,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/bot/bots/:id',
    summary:
      'Deletes a stopped bot with its history; a live one of which orders or stops rest at the exchange only when told what of them',
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
    summary: 'What the caller was told of, newest first, and how much of it is unseen',
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
    summary: 'Of each bot that has unseen notices which may want something of its owner: how many, and the newest',
    response: z.object({ bots: z.array(botAlarms) }),
  }),
  markNotificationsSeen: defineCall({
    method: 'POST',
    path: '/bot/notices/seen',
    summary: 'Marks notices as seen: those named, or all that there are',
    body: z.union([z.object({ ids: z.array(notificationId).min(1).max(200) }), z.object({ all: z.literal(true) })]),
    response: z.object({ unseen: z.number().int().min(0) }),
  }),
  keys: defineCall({
    method: 'GET',
    path: '/bot/keys',
    summary: "The caller's exchange keys, without what is secret of them",
    response: z.object({ keys: z.array(e.exchangeKey) }),
  }),
  addKey: defineCall({
    method: 'POST',
    path: '/bot/keys',
    summary: 'Keeps an exchange key after the exchange has told what it may do. It is never shown again',
    body: z.object({
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
  prepareKeys: defineCall({
    method: 'POST',
    path: '/bot/keys/prepare',
    summary:
      'Starts what asks an exchange about keys, which may take a while the first time; waits for it some seconds',
    body: z.object({ venue: e.venueId }),
    response: z.object({ ready: z.boolean() }),
  }),
  testKey: defineCall({
    method: 'POST',
    path: '/bot/keys/:id/test',
    summary: 'Asks the exchange again what a key may do',
    params: z.object({ id: z.uuid() }),
    response: e.exchangeKey,
    timeoutMs: WORKER_CALL_TIMEOUT_MS,
  }),
  removeKey: defineCall({
    method: 'DELETE',
    path: '/bot/keys/:id',
    summary: 'Forgets an exchange key that no bot trades with',
    params: z.object({ id: z.uuid() }),
    response: z.object({ deleted: z.literal(true) }),
  }),
  order: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/orders',
    summary: 'Buys or sells by hand. The same requestId never acts twice',
    params: byId,
    body: z.object({
      requestId: z.uuid(),
      pair: e.pair,
      side: e.side,
      type: z.enum(['maker', 'taker']),
      /** Buy: order value in the quote currency. Sell: not used. */
      value: e.decimal.optional(),
      /** Buy, futures: opens a short instead, or adds to one. */
      short: z.boolean().optional(),
      /** Sell: percent of the position. Default: `sell_pct` of the bot, or all where that is 0. */
      percent: z.number().gt(0).max(100).optional(),
      /** Maximum distance of the fills of a taker order from the mid price, in percent. @see docs/display.md#orders-by-hand */
      slippagePercent: z.number().min(0.1).max(50).default(2),
    }),
    response: z.object({ intentId: z.string() }),
  }),
  takeBack: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/orders/cancel',
    summary: 'Takes back an order that rests, as far as it has not filled. What a table of exits sells goes on',
    params: byId,
    body: z.object({ clientOrderId: z.string().max(80) }),
    response: e.botDetail,
  }),
  change: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/options',
    summary: 'Changes options and parameters of a bot, whether it runs or not. What is left out stays as it is',
    params: byId,
    body: e.setupChange,
    response: z.object({ bot: e.botDetail, changes: z.array(e.optionChange) }),
  }),
  halt: defineCall({
    method: 'POST',
    path: '/bot/bots/:id/halt',
    summary:
      'Kill switch: cancels every order of a pair, or of all pairs, sells what is held if asked, and pauses them',
    params: byId,
    body: z.object({ pair: e.pair.optional(), close: z.boolean() }),
    response: e.halted,
  }),
  haltAll: defineCall({
    method: 'POST',
    path: '/bot/halt',
    summary: "Kill switch for all of the caller's live bots that run or, if it is to sell, hold something",
    body: z.object({ close: z.boolean() }),
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
    summary: 'Lets a paused pair enter again, at once or when its bot runs again',
    params: byId,
    body: z.object({ pair: e.pair }),
    response: e.botDetail,
  }),
  candles: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/candles',
    summary: 'Closed candles that the bot holds for a pair, with the values of its strategy',
    params: byId,
    query: z.object({ pair: e.pair }),
    response: e.candleHistory,
  }),
  trades: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/trades',
    summary: 'Trades, newest first',
    params: byId,
    query: z.object({
      pair: e.pair.optional(),
      before: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ trades: z.array(e.trade), next: z.string().nullable() }),
  }),
  equity: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/equity',
    summary: 'What a bot was worth since a moment, or since it began',
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
    summary: 'Where the realised result of a bot comes from: by pair, by reason, by month',
    params: byId,
    /** IANA name of the time zone that defines the months. */
    query: z.object({ zone: z.string().max(60).default('UTC') }),
    response: e.botFigures,
  }),
  profits: defineCall({
    method: 'GET',
    path: '/bot/profits',
    summary: "Recent profit of the caller's bots: since a moment, and over the last 24 hours",
    query: z.object({ since: z.coerce.number().int().min(0) }),
    response: z.object({ bots: z.array(e.recentProfit) }),
  }),
  journal: defineCall({
    method: 'GET',
    path: '/bot/bots/:id/journal',
    summary: 'Journal, newest first',
    params: byId,
    query: z.object({
      pair: e.pair.optional(),
      kind: e.noteKind.optional(),
      before: z.coerce.number().int().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: z.object({ entries: z.array(e.journalEntry), next: z.number().int().nullable() }),
  }),
} as const;
