import type { IncomingMessage } from 'node:http';
import { readBody, splitOnce, withoutSignature } from '../../server/requestText.ts';
import type { HttpResponse } from '../../server/serve.ts';
import { authenticate } from './authentication.ts';
import { MexcError, mexcError } from './errors.ts';
import { Parameters } from './parameters.ts';
import { exchangeTime, type Mexc, ROUTES, type Route } from './routes.ts';

/** Maximum length of a request body in bytes; twenty orders need a tenth of it. */
const BODY_BYTES = 64 * 1024;

const BY_PATH: ReadonlyMap<string, Route> = new Map(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** Handles one HTTP request as MEXC does. It never rejects. */
export async function handleRest(mexc: Mexc, request: IncomingMessage): Promise<HttpResponse> {
  let status = 200;
  let body: unknown;
  const extra: { [name: string]: string } = {};
  try {
    const text = await readBody(request, BODY_BYTES, { tooLarge: mexcError.parameter, broken: mexcError.parameter });
    body = handleRouteRequest(mexc, request, text);
  } catch (error) {
    const rejection = asMexcError(error);
    status = rejection.status;
    body = rejection.body;
    if (rejection.retryAfter !== undefined) extra['retry-after'] = String(rejection.retryAfter);
  }
  // The server would read the rest of an unread body as the next request.
  if (!request.complete) extra.connection = 'close';
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8', ...extra },
    body: JSON.stringify(body),
  };
}

/** Checks limits, identity and parameters in this order, then handles the request. */
function handleRouteRequest(mexc: Mexc, request: IncomingMessage, body: string): unknown {
  const [path, query] = splitOnce(request.url ?? '', '?');
  const endpoint = `${request.method} ${path}`;
  const route = BY_PATH.get(endpoint);
  if (!route) throw mexcError.path();
  const now = mexc.clock.now();
  const parameters = Parameters.parse(query, body);
  mexc.limits.request(now, endpoint, typeof route.weight === 'number' ? route.weight : route.weight(parameters));
  if (route.signed) {
    const apiKey = request.headers['x-mexc-apikey'];
    const payload = withoutSignature(query) + withoutSignature(body);
    authenticate(
      mexc.keys,
      typeof apiKey === 'string' ? apiKey : undefined,
      parameters,
      payload,
      exchangeTime(mexc.script, now),
    );
  }
  if (mexc.exchange.failure) throw mexcError.unavailable();
  mexc.exchange.advance(now);
  return route.handle(mexc, parameters, now);
}

/** Returns a MEXC error as it is. Any other error is a bug of the sandbox; it is logged and becomes 500. */
function asMexcError(error: unknown): MexcError {
  if (error instanceof MexcError) return error;
  console.error('sandbox: unexpected error', error);
  return mexcError.unknown();
}
