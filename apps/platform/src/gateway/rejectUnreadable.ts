import type { Socket } from 'node:net';
import { CallError } from '@heron/contract/http/errors.ts';
import { errorResponse, statusOf } from './errorResponse.ts';

/** Time in which a client may read the answer and close. */
const LAST_READ_MS = 1_000;
/** Beginning of a request that may be answered with a body; the method of a piece further on cannot be seen. */
const MAY_HAVE_BODY = /^(?!HEAD )[A-Z]+ /;

/**
 * Answers what Node could not read as a request, and closes the connection: there is no request object, only the socket.
 */
export function rejectUnreadable(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const failure = new CallError(tooLarge ? 'too_large' : 'malformed');
  const { rawPacket } = error;
  const isShown = Buffer.isBuffer(rawPacket) && MAY_HAVE_BODY.test(rawPacket.toString('latin1', 0, 16));
  const body = isShown ? JSON.stringify(errorResponse(failure, 'en')) : '';
  socket.end(
    `HTTP/1.1 ${statusOf(failure)} ${tooLarge ? 'Content Too Large' : 'Bad Request'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Who never closes, or never reads, would keep the descriptor for as long as they like.
  setTimeout(() => socket.destroy(), LAST_READ_MS).unref();
}
