import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import type { FaultScript } from '../faults/fault-script.ts';
import type { Exchange } from '../market/exchange.ts';
import type { Reply } from '../wire/serve.ts';
import { authenticate, type Keys, SIGNED_PARAMETERS } from './authentication.ts';
import { BinanceError, refuse } from './errors.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rate-limits.ts';
import { readRequest } from './request.ts';
import { ROUTES, type Route } from './routes.ts';

export type Binance = {
  exchange: Exchange;
  clock: Clock;
  keys: Keys;
  limits: RateLimits;
  script: FaultScript | undefined;
};

type KnownRoute = Route & { known: ReadonlySet<string> };

const BY_PATH = new Map<string, KnownRoute>(
  ROUTES.map((route) => [
    `${route.method} ${route.path}`,
    { ...route, known: new Set([...route.parameters, ...(route.signed ? SIGNED_PARAMETERS : [])]) },
  ]),
);

/** Answers one HTTP request as Binance does. Never rejects. */
export async function answerRest(binance: Binance, request: IncomingMessage): Promise<Reply> {
  let isOrder = false;
  let status = 200;
  let body: unknown;
  const extra: { [name: string]: string } = {};
  try {
    const { path, parameters, payload, apiKey } = await readRequest(request);
    const route = BY_PATH.get(`${request.method} ${path}`);
    if (!route) throw refuse.path(path.slice(0, 200), request.method ?? '');
    isOrder = route.isOrder === true;
    body = answerRoute(binance, route, parameters, { apiKey, payload });
  } catch (error) {
    const refusal = asBinanceError(error);
    status = refusal.status;
    body = refusal.body;
    if (refusal.retryAfter !== undefined) extra['retry-after'] = String(refusal.retryAfter);
    // the rest of an unread body would be taken for the next request
    if (status === 413) extra.connection = 'close';
  }
  return {
    status,
    headers: {
      'content-type': 'application/json;charset=UTF-8',
      ...binance.limits.headers(binance.clock.now(), isOrder),
      ...extra,
    },
    body: JSON.stringify(body),
  };
}

/** Limits, identity, parameters, time, and then the answer; the order in which a request can fail. */
export function answerRoute(
  binance: Binance,
  route: Route & { known: ReadonlySet<string> },
  parameters: Parameters,
  credentials: { apiKey: string | undefined; payload: string },
): unknown {
  const { exchange, clock, keys, limits, script } = binance;
  const now = clock.now();
  const serverTime = now + (script?.skewMs() ?? 0);
  limits.request(now, typeof route.weight === 'number' ? route.weight : route.weight(parameters));
  parameters.allow(route.known);
  if (route.signed) authenticate(keys, credentials.apiKey, parameters, credentials.payload, serverTime);
  if (exchange.failure) throw refuse.internal();
  if (route.isOrder) limits.order(now);
  exchange.advance(now);
  return route.answer(exchange, parameters, now, { serverTime, limits });
}

/** A refusal as it is; anything else is our mistake, shown on standard error and as -1000. */
export function asBinanceError(error: unknown): BinanceError {
  if (error instanceof BinanceError) return error;
  console.error('sandbox: unexpected error', error);
  return refuse.unknown();
}
