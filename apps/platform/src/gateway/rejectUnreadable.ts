import type { Socket } from 'node:net';
import { CallError } from '@heron/contract/http/errors.ts';
import { errorResponse, statusOf } from './errorResponse.ts';

/** Time in which a client may read the response. */
const LAST_READ_MS = 1_000;
/** Start of a request whose response may have a body. A later chunk does not contain the method. */
const MAY_HAVE_BODY = /^(?!HEAD )[A-Z]+ /;

/**
 * Responds to data that Node could not parse as a request, and closes the connection. There is only a socket, no
 * request.
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
  // A client that neither reads nor closes would keep the socket open.
  setTimeout(() => socket.destroy(), LAST_READ_MS).unref();
}
