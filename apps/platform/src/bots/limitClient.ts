import type { Duplex } from 'node:stream';
import { STREAM_CLOSE, STREAM_REQUEST_BYTES } from '@heron/contract/bots/stream.ts';
import type { WebSocket } from 'ws';
import { createBudget } from '../gateway/budget.ts';

/** A window sends a message when it shows another bot. */
const MESSAGES = { perSecond: 20, atOnce: 40 };
/** Limits bytes too, because pings and fragments also cost time. */
const BYTES = { perSecond: 20 * STREAM_REQUEST_BYTES, atOnce: 40 * STREAM_REQUEST_BYTES };
/** Time in which a client may read the close frame. */
const LAST_READ_MS = 1_000;

/**
 * Closes a stream with `tooMany` when its client sends more than a window would. Reads nothing afterwards.
 *
 * @param connection under the stream
 */
export function limitClient(client: WebSocket, connection: Duplex): void {
  const spendMessage = createBudget(MESSAGES);
  const spendBytes = createBudget(BYTES);

  function end(): void {
    if (client.readyState !== client.OPEN) return;
    client.close(STREAM_CLOSE.tooMany, 'too many messages');
    // The client may continue to send, so its close frame may never be reached.
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
