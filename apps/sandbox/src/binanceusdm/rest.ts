import type { IncomingMessage } from 'node:http';
import { authenticate, type Keys } from '../binance/authentication.ts';
import { refuse } from '../binance/errors.ts';
import { type BinanceRequest, readRequest } from '../binance/request.ts';
import { asBinanceError } from '../binance/rest.ts';
import type { Clock } from '../clock.ts';
import type { FaultScript } from '../faults/fault-script.ts';
import type { FuturesExchange } from '../futures/exchange.ts';
import type { Reply } from '../wire/serve.ts';
import type { ListenKeys } from './listen-keys.ts';
import type { RateLimits } from './rate-limits.ts';
import { ROUTES, type Route } from './routes.ts';

export type Futures = {
  exchange: FuturesExchange;
  clock: Clock;
  keys: Keys;
  limits: RateLimits;
  listenKeys: ListenKeys;
  script: FaultScript | undefined;
};

const BY_PATH = new Map<string, Route>(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** Answers one HTTP request as Binance's futures do. Never rejects. */
export async function answerRest(futures: Futures, request: IncomingMessage): Promise<Reply> {
  let isOrder = false;
  let status = 200;
  let body: unknown;
  const extra: { [name: string]: string } = {};
  try {
    const read = await readRequest(request);
    const route = BY_PATH.get(`${request.method} ${read.path}`);
    if (!route) throw refuse.path(read.path.slice(0, 200), request.method ?? '');
    isOrder = route.isOrder === true;
    body = answerRoute(futures, route, read);
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
      'content-type': 'application/json',
      ...futures.limits.headers(futures.clock.now(), isOrder),
      ...extra,
    },
    body: JSON.stringify(body),
  };
}

/** Limits, identity, time, and then the answer. Parameters that nobody reads are let pass, as on Binance's futures. */
function answerRoute(futures: Futures, route: Route, { parameters, payload, apiKey }: BinanceRequest): unknown {
  const { exchange, clock, keys, limits, listenKeys, script } = futures;
  const now = clock.now();
  const serverTime = now + (script?.skewMs() ?? 0);
  limits.request(now, typeof route.weight === 'number' ? route.weight : route.weight(parameters));
  if (route.security === 'signed') authenticate(keys, apiKey, parameters, payload, serverTime);
  else if (route.security === 'key') {
    if (apiKey === undefined || !/^[A-Za-z0-9]{64}$/.test(apiKey)) throw refuse.keyFormat();
    if (apiKey !== keys.key) throw refuse.key();
  }
  if (exchange.failure) throw refuse.internal();
  if (route.isOrder) limits.order(now);
  exchange.advance(now);
  return route.answer({ exchange, listenKeys, parameters, now, serverTime });
}
