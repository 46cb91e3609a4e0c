import { botId, feedHealth, pair, period, time } from '@heron/contract/bots/entities.ts';
import { z } from 'zod';

/** Calls from the control process to a worker, over loopback with the shared secret. Responses are entities of the contract. */
export const WORKER_PATHS = {
  health: '/health',
  markets: '/markets',
  marketCandles: '/candles',
  pastCandles: '/candles/past',
  marketTerms: '/markets/terms',
  details: '/details',
  start: (id: string) => `/bots/${id}/start`,
  stop: (id: string) => `/bots/${id}/stop`,
  rename: (id: string) => `/bots/${id}/name`,
  drain: (id: string) => `/bots/${id}/drain`,
  close: (id: string) => `/bots/${id}/close`,
  reset: (id: string) => `/bots/${id}/reset`,
  order: (id: string) => `/bots/${id}/order`,
  previewOrder: (id: string) => `/bots/${id}/order/preview`,
  setExit: (id: string) => `/bots/${id}/exits`,
  removeExit: (id: string) => `/bots/${id}/exits/remove`,
  cancelOrder: (id: string) => `/bots/${id}/order/cancel`,
  change: (id: string) => `/bots/${id}/options`,
  resume: (id: string) => `/bots/${id}/resume`,
  halt: (id: string) => `/bots/${id}/halt`,
  resting: (id: string) => `/bots/${id}/resting`,
  candles: (id: string, name: string) => `/bots/${id}/candles?pair=${encodeURIComponent(name)}`,
  stream: '/stream',
} as const;

/** Paths of the calls about exchange keys, which only the worker of live bots serves. */
export const KEY_PATHS = { add: '/keys', test: '/keys/test', balance: '/keys/balance' } as const;

export const idParams = z.object({ id: botId });
export const candleQuery = z.object({ pair });
export const marketCandlesBody = z.object({ pair, period, before: time.exactOptional(), limit: z.number().int() });
export const pastCandlesBody = z.object({ pair, period, from: time, to: time });
export const marketTermsBody = z.object({ pair, from: time, to: time });
export const detailsBody = z.object({ ids: z.array(botId).max(1_000) });

/** In 1e-8. */
const slippage = z.number().int().positive().exactOptional();

const source = z.literal('signal').exactOptional();

/** In 1e-8. */
const price = z.number().int().positive();

/** In 1e-8; 0 for none. */
const exitPrices = { stopLoss: z.number().int().min(0), takeProfit: z.number().int().min(0) };

const entryPricing = z.discriminatedUnion('order', [
  z.object({ order: z.literal('maker') }),
  z.object({ order: z.literal('taker'), slippage }),
  z.object({ order: z.enum(['limit', 'post_only']), price }),
  z.object({ order: z.literal('stop'), price, slippage }),
]);
const manualBuy = z
  .object({
    type: z.literal('buy'),
    pair,
    short: z.literal(true).exactOptional(),
    source,
    exits: z.object(exitPrices).exactOptional(),
    requestId: z.uuid(),
  })
  .and(entryPricing);
const limitToAvailable = z.literal(true).exactOptional();
const manualSell = z.object({
  type: z.literal('sell'),
  pair,
  order: z.enum(['maker', 'taker']),
  percent: z.number().gt(0).max(100),
  slippage,
  source,
  requestId: z.uuid(),
});

/** A manual order; `value` in 1e-8 quote units, `quantity` as decimal text. */
export const orderBody = z.union([
  manualBuy.and(z.object({ limitToAvailable, value: z.number().int().positive() })),
  manualBuy.and(z.object({ limitToAvailable, quantity: z.string() })),
  manualSell,
]);

/** A manual order that is only previewed; an entry may lack its amount. */
export const previewBody = z.union([orderBody, manualBuy]);

/** A price exit, as the engine's command. */
export const setExitBody = z.object({
  type: z.literal('set_exit'),
  pair,
  percent: z.number().gt(0).max(100),
  ...exitPrices,
  replaces: z.number().int().exactOptional(),
  requestId: z.uuid(),
});

export const removeExitBody = z.object({ pair, exit: z.number().int() });

export const cancelOrderBody = z.object({ clientOrderId: z.string() });

/** Changed options and parameters, which the engine checks. A control process of an older version sends no `requestId`. */
export const changeBody = z.object({
  options: z.record(z.string(), z.unknown()),
  params: z.record(z.string(), z.unknown()),
  requestId: z.uuid().exactOptional(),
});

export const resumeBody = z.object({ pair });

/** A `pair` of null means every pair. */
export const haltBody = z.object({ pair: pair.nullable(), close: z.boolean() });

/** With `cancel`, open orders are cancelled first. */
export const openOrdersBody = z.object({ cancel: z.boolean() });

/** The number of open orders of a bot at the exchange, stops included. */
export const openOrdersAnswer = z.object({ count: z.number().int() });

/** Result of a manual order. */
export const orderAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), intentId: z.string() }),
  z.object({ ok: z.literal(false), gate: z.string(), inputs: z.record(z.string(), z.union([z.string(), z.number()])) }),
]);

/** The owners and bots that clients watch. The control process sends it whenever it changes. */
export const audienceMessage = z.object({ owners: z.array(z.string()), bots: z.array(botId) });

export const healthAnswer = z.object({
  venue: z.string(),
  reachable: z.boolean(),
  /** The reason why the venue is not reachable; null while it is, or while the reason is unknown. */
  unreachable: z.object({ zh: z.string(), en: z.string() }).nullable(),
  at: time,
  feed: feedHealth.omit({ of: true }),
});
export type Health = z.infer<typeof healthAnswer>;
