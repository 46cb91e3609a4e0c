import type { Duplex } from 'node:stream';
import { STREAM_CLOSE, STREAM_REQUEST_BYTES } from '@heron/contract/bots/stream.ts';
import type { WebSocket } from 'ws';
import { createBudget } from '../gateway/budget.ts';

/** A window sends a request when another bot is looked at. */
const MESSAGES = { perSecond: 20, atOnce: 40 };
/** Frames that are no message cost time as well: pings, and pieces of messages. In bytes. */
const BYTES = { perSecond: 20 * STREAM_REQUEST_BYTES, atOnce: 40 * STREAM_REQUEST_BYTES };
/** Time in which a client may read why its stream ended. */
const LAST_READ_MS = 1_000;

/**
 * Ends a stream whose client sends more than a window ever does, with the code `tooMany`. Nothing is read from it afterwards.
 *
 * @param connection under the stream
 */
export function limitClient(client: WebSocket, connection: Duplex): void {
  const spendMessage = createBudget(MESSAGES);
  const spendBytes = createBudget(BYTES);

  function end(): void {
    if (client.readyState !== client.OPEN) return;
    client.close(STREAM_CLOSE.tooMany, 'too many messages');
    // The client may go on sending, and its answer to the closing would stand behind all that.
    client.pause();
    setTimeout(() => client.terminate(), LAST_READ_MS).unref();
  }

  function onFrame(): void {
    if (!spendMessage(1)) end();
  }

  client.on('message', onFrame);
  client.on('ping', onFrame);
  connection.on('data', (chunk: Buffer) => {
    if (!spendBytes(chunk.length)) end();
  });
}
