import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../../server/serve.ts';
import { BinanceError, binanceError } from './errors.ts';
import { type BinanceRequest, readRequest } from './request.ts';

/** A REST protocol of Binance: its routes, its responses and their headers. */
type RestProtocol<R extends { readonly isOrder?: boolean }> = {
  /** @param name method and path */
  route(name: string): R | undefined;
  handle(route: R, request: BinanceRequest): unknown;
  headers(isOrder: boolean): { [name: string]: string };
};

/** Handles one HTTP request by a protocol of Binance. It never rejects. */
export async function respondTo<R extends { readonly isOrder?: boolean }>(
  request: IncomingMessage,
  protocol: RestProtocol<R>,
): Promise<HttpResponse> {
  let isOrder = false;
  let status = 200;
  let body: unknown;
  const extra: { [name: string]: string } = {};
  try {
    const read = await readRequest(request);
    const route = protocol.route(`${request.method} ${read.path}`);
    if (!route) throw binanceError.path(read.path.slice(0, 200), request.method ?? '');
    isOrder = route.isOrder === true;
    body = protocol.handle(route, read);
  } catch (error) {
    const rejection = asBinanceError(error);
    status = rejection.status;
    body = rejection.body;
    if (rejection.retryAfter !== undefined) extra['retry-after'] = String(rejection.retryAfter);
    // The server would read the rest of an unread body as the next request.
    if (status === 413) extra.connection = 'close';
  }
  return { status, headers: { ...protocol.headers(isOrder), ...extra }, body: JSON.stringify(body) };
}

/** Returns a Binance error as it is. Any other error is a bug of the sandbox; it is logged and becomes -1000. */
export function asBinanceError(error: unknown): BinanceError {
  if (error instanceof BinanceError) return error;
  console.error('sandbox: unexpected error', error);
  return binanceError.unknown();
}
