import type { IncomingMessage } from 'node:http';

/** Maximum bytes of a rejected body that are read. */
const READ_BYTES = 8 * 1_048_576;
/** Maximum time for which it is read. */
const READ_MS = 2_000;

/**
 * Reads and discards the rest of a small body. A sender or proxy may not read the response before it has sent the whole
 * body.
 *
 * @returns whether all of it was read; otherwise the connection cannot be reused
 */
export async function discardBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || !hasBody(request)) return true;
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const late = setTimeout(resolve, READ_MS);
  function onData(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > READ_BYTES) resolve();
  }
  request.on('data', onData);
  for (const end of ['end', 'close', 'error'] as const) request.on(end, resolve);
  if (request.destroyed || Number(request.headers['content-length'] ?? 0) > READ_BYTES) resolve();
  else request.resume();
  await promise;
  clearTimeout(late);
  request.off('data', onData);
  for (const end of ['end', 'close', 'error'] as const) request.off(end, resolve);
  return request.complete;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
