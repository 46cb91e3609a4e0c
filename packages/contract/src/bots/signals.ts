import { z } from 'zod';
import { defineMethod } from '../http/method.ts';
import { botId } from './entities.ts';

/** Address that receives signals of a bot. The secret is a part of it, or a field of the body. */
export const SIGNAL_PATH = '/signal/:id/:secret';
export const SIGNAL_BODY_PATH = '/signal/:id';

/** Maximum size of a signal, in bytes. */
export const SIGNAL_BYTES = 8_192;

const figure = z.union([z.number(), z.string().trim().max(40)]).transform(String);
/** A positive decimal number, as a number or as text, since TradingView fills in placeholders as text. */
const positive = figure.pipe(z.string().regex(/^(?=.*[1-9])\d{1,20}(\.\d{1,20})?$/));

/** Body of a signal. @see docs/api.md#signals */
export const signalBody = z.strictObject({
  /** Only where the address lacks it. */
  secret: z.string().max(100).optional(),
  /** `close` sells the whole position, on futures also a short. */
  action: z.enum(['buy', 'sell', 'close']),
  /** The pair, such as `BTC-USDT`, or the ticker of TradingView. Default: the pair of a bot with one pair. */
  pair: z.string().trim().min(1).max(60).optional(),
  /** Buy: what to spend, in the quote currency. */
  amount: positive.optional(),
  /** Sell: percent of the position, by default as the bot's `sell_pct`. Buy: percent of what is available, instead of `amount`. */
  percent: positive.transform(Number).pipe(z.number().gt(0).max(100)).optional(),
  /** A signal with a known id is not executed again. */
  id: figure.pipe(z.string().min(1)).optional(),
  /** Only recorded. */
  price: figure.optional(),
  /** Time of sending: ISO 8601, or Unix time in seconds or milliseconds. Older ones are rejected. */
  time: figure.optional(),
});

export type SignalBody = z.output<typeof signalBody>;

/**
 * Outcomes of a signal.
 * - `placed`: the order was accepted by the bot.
 * - `dry`: a dry run; the log says what would have been done.
 * - `repeated`: the same signal arrived before, so nothing was done.
 * - `refused`: nothing was done, for the reason given.
 * - `unknown`: the bot did not respond. The same signal may be sent again within five minutes; it is executed once.
 */
export const SIGNAL_OUTCOMES = ['placed', 'dry', 'repeated', 'refused', 'unknown'] as const;
export type SignalOutcome = (typeof SIGNAL_OUTCOMES)[number];

/** Reasons of Heron itself; `bot` comes with a text of the bot. */
const reason = z.enum(['malformed', 'address', 'old', 'future', 'pairMissing', 'pairUnknown', 'amountMissing', 'bot']);
export type SignalReason = z.infer<typeof reason>;

/** Response to a signal. */
export const signalResult = z.object({
  outcome: z.enum(SIGNAL_OUTCOMES),
  reason: reason.nullable(),
  /** Text of the bot, in the language of its owner. */
  detail: z.string(),
});
export type SignalResult = z.infer<typeof signalResult>;

const signalAddress = z.object({
  id: z.uuid(),
  /** Whether signals are only logged. */
  dryRun: z.boolean(),
  /** IP addresses and networks that may send; empty for all. */
  allowed: z.array(z.string()),
  /** Unix seconds. */
  made: z.number().int(),
  disabledSince: z.number().int().nullable(),
});
export type SignalAddress = z.infer<typeof signalAddress>;

const signalEntry = signalResult.extend({
  id: z.number().int(),
  /** Unix ms. */
  at: z.number().int(),
  address: z.string(),
  /** The body as it arrived, without the secret, cut to 500 characters. */
  body: z.string(),
  /** The order that was made, or would have been made. */
  order: z
    .object({
      side: z.enum(['buy', 'sell']),
      pair: z.string(),
      value: z.string().nullable(),
      percent: z.number().nullable(),
    })
    .nullable(),
});
export type SignalEntry = z.infer<typeof signalEntry>;

const ofBot = z.object({ bot: botId });
const one = z.object({ signal: signalAddress });

/** Methods of signal addresses, by which TradingView and other programs trade with a bot. */
export const signalMethods = {
  getSignal: defineMethod({
    name: 'System.Signal.get',
    summary: 'Returns the signal address of a bot, without its secret, or null',
    postOnly: false,
    success: 0,
    payload: ofBot,
    data: z.object({ signal: signalAddress.nullable() }),
  }),
  createSignal: defineMethod({
    name: 'System.Signal.create',
    summary:
      'Creates the signal address of a bot, or replaces its secret, which is never shown again. It begins with a dry run. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: ofBot,
    data: one.extend({ secret: z.string() }),
    timeoutMs: 40_000,
  }),
  changeSignal: defineMethod({
    name: 'System.Signal.change',
    summary: 'Changes dry run and allowed IP addresses of a signal address. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: ofBot.extend({ dryRun: z.boolean(), allowed: z.array(z.string().trim().max(50)).max(50) }),
    data: one,
  }),
  enableSignal: defineMethod({
    name: 'System.Signal.enable',
    summary: 'Enables a signal address that was disabled together with other sessions. Requires a fresh proof',
    postOnly: true,
    success: 0,
    payload: z.object({ id: z.uuid() }),
    data: one,
  }),
  removeSignal: defineMethod({
    name: 'System.Signal.remove',
    summary: 'Removes the signal address of a bot at once, with its log',
    postOnly: true,
    success: 0,
    payload: ofBot,
    data: z.object({}),
  }),
  signalLog: defineMethod({
    name: 'System.Signal.log',
    summary: 'Lists what arrived at the signal address of a bot, newest first',
    postOnly: false,
    success: 0,
    payload: ofBot.extend({ before: z.number().int().min(0).optional() }),
    data: z.object({ entries: z.array(signalEntry), next: z.number().int().nullable() }),
  }),
} as const;
