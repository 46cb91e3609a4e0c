import { z } from 'zod';
import * as e from './entities.ts';
import { botNotification } from './notifications.ts';
import { pairedState } from './pairedHosts.ts';

/** WebSocket of the bot host, which the platform forwards for the signed-in user. */
export const STREAM_PATH = '/bot/stream';

/** Maximum size of a client's message, in bytes. */
export const STREAM_REQUEST_BYTES = 4_096;

/**
 * Close codes with the reason for the end of a stream. 4000 to 4999 are free for applications (RFC 6455 7.4.2).
 *
 * `sessionEnded`: the client must not retry. `tooMany`: too many messages, or too many streams of one user; the client may
 * reconnect later.
 */
export const STREAM_CLOSE = { sessionEnded: 4401, tooMany: 4429 } as const;

/** A client's message. `watch` chooses the one bot whose details are pushed; null for none. */
export const streamRequest = z.object({ type: z.literal('watch'), id: e.botId.nullable() });

/** A pushed message. Summaries of all own bots are always pushed; most other messages only for the watched bot. */
export const streamMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bot'), bot: e.botSummary }),
  z.object({ type: z.literal('removed'), id: e.botId }),
  /** Full state of the watched bot, sent after `watch` and every `poll_broadcast_time`. */
  z.object({ type: z.literal('detail'), bot: e.botDetail }),
  z.object({ type: z.literal('pair'), id: e.botId, view: e.pairView }),
  z.object({
    type: z.literal('quote'),
    id: e.botId,
    pair: e.pair,
    at: e.time,
    bid: e.decimal.nullable(),
    ask: e.decimal.nullable(),
    last: e.decimal,
  }),
  /** The forming candle, or one that has just closed with the strategy's values in the order of its series. */
  z.object({
    type: z.literal('candle'),
    id: e.botId,
    pair: e.pair,
    closed: z.boolean(),
    candle: e.candle,
    values: z.array(z.number().nullable()).nullable(),
  }),
  z.object({ type: z.literal('order'), id: e.botId, order: e.order, ended: z.string().nullable() }),
  z.object({ type: z.literal('fill'), id: e.botId, fill: e.fill }),
  /** A notification of any own bot. */
  z.object({ type: z.literal('notice'), notice: botNotification }),
  /** Number of unseen notifications, sent after connecting, after each notification, and when any window marks some as seen. */
  z.object({ type: z.literal('unseen'), count: z.number().int().min(0) }),
  z.object({ type: z.literal('journal'), id: e.botId, entry: e.journalEntry }),
  /** A paired bot host of the user, sent after connecting and when its state changes. */
  z.object({ type: z.literal('host'), host: pairedState }),
]);

export type StreamRequest = z.infer<typeof streamRequest>;
export type StreamMessage = z.infer<typeof streamMessage>;
