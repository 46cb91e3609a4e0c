import { z } from 'zod';
import * as e from './entities.ts';
import { botNotification } from './notifications.ts';
import { pairedState } from './pairedHosts.ts';

/** WebSocket of the bot host, forwarded by the platform for the logged-in user. */
export const STREAM_PATH = '/bot/stream';

/** Largest message of a client, in bytes. */
export const STREAM_REQUEST_BYTES = 4_096;

/**
 * Codes by which a client learns why its stream ended. 4000 to 4999 are free for applications (RFC 6455 7.4.2).
 *
 * `sessionEnded`: there is no use in trying again. `tooMany`: too many messages, or too many streams of one person; the client
 * may connect again after a while.
 */
export const STREAM_CLOSE = { sessionEnded: 4401, tooMany: 4429 } as const;

/** What a client may send. `watch` chooses the one bot whose details are pushed; null for none. */
export const streamRequest = z.object({ type: z.literal('watch'), id: e.botId.nullable() });

/** What is pushed. Summaries of all own bots always; the rest for the watched bot. */
export const streamMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bot'), bot: e.botSummary }),
  z.object({ type: z.literal('removed'), id: e.botId }),
  /** Whole state of the watched bot: after `watch`, and every `poll_broadcast_time`. */
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
  /** Of any own bot. */
  z.object({ type: z.literal('notice'), notice: botNotification }),
  /** How many notices are unseen now: after connecting, after each notice, and when some were seen in any window. */
  z.object({ type: z.literal('unseen'), count: z.number().int().min(0) }),
  z.object({ type: z.literal('journal'), id: e.botId, entry: e.journalEntry }),
  /** A paired bot host of the reader: after connecting, and when it comes or goes. */
  z.object({ type: z.literal('host'), host: pairedState }),
]);

export type StreamRequest = z.infer<typeof streamRequest>;
export type StreamMessage = z.infer<typeof streamMessage>;
