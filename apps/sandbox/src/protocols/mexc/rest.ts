import type { IncomingMessage } from 'node:http';
import { readBody, splitOnce, withoutSignature } from '../../server/requestText.ts';
import type { Reply } from '../../server/serve.ts';
import { authenticate } from './authentication.ts';
import { MexcError, refuse } from './errors.ts';
import { Parameters } from './parameters.ts';
import { type Mexc, ROUTES, type Route, toldTime } from './routes.ts';

/** Longest body of a request in bytes; twenty orders need a tenth of it. */
const BODY_BYTES = 64 * 1024;

const BY_PATH: ReadonlyMap<string, Route> = new Map(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** Answers one HTTP request as MEXC does. Never rejects. */
export async function answerRest(mexc: Mexc, request: IncomingMessage): Promise<Reply> {
  let status = 200;
  let body: unknown;
  const extra: { [name: string]: string } = {};
  try {
    const text = await readBody(request, BODY_BYTES, { tooLarge: refuse.parameter, broken: refuse.parameter });
    body = answerRequest(mexc, request, text);
  } catch (error) {
    const refusal = asMexcError(error);
    status = refusal.status;
    body = refusal.body;
    if (refusal.retryAfter !== undefined) extra['retry-after'] = String(refusal.retryAfter);
  }
  // the rest of an unread body would be taken for the next request
  if (!request.complete) extra.connection = 'close';
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8', ...extra },
    body: JSON.stringify(body),
  };
}

/** Limits, identity, parameters, and then the answer; the order in which a request can fail. */
function answerRequest(mexc: Mexc, request: IncomingMessage, body: string): unknown {
  const [path, query] = splitOnce(request.url ?? '', '?');
  const endpoint = `${request.method} ${path}`;
  const route = BY_PATH.get(endpoint);
  if (!route) throw refuse.path();
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
      toldTime(mexc.script, now),
    );
  }
  if (mexc.exchange.failure) throw refuse.unavailable();
  mexc.exchange.advance(now);
  return route.answer(mexc, parameters, now);
}

/** A refusal as it is; anything else is our mistake, shown on standard error and as 500. */
function asMexcError(error: unknown): MexcError {
  if (error instanceof MexcError) return error;
  console.error('sandbox: unexpected error', error);
  return refuse.unknown();
}
