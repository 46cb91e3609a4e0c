import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import type { HttpResponse } from '../../server/serve.ts';
import type { Keys } from '../../storage/dataFolder.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { authenticate, isKnownKey } from '../binance/authentication.ts';
import { binanceError } from '../binance/errors.ts';
import { respondTo } from '../binance/reply.ts';
import type { BinanceRequest } from '../binance/request.ts';
import type { ListenKeys } from './listenKeys.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

export type Futures = {
  exchange: FuturesExchange;
  clock: Clock;
  keys: Keys;
  limits: RateLimits;
  listenKeys: ListenKeys;
  script: FaultScript | undefined;
};

const BY_PATH = new Map<string, Route>(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

/** Handles one HTTP request as Binance's futures do. It never rejects. */
export function handleRest(futures: Futures, request: IncomingMessage): Promise<HttpResponse> {
  const { limits, clock } = futures;
  return respondTo(request, {
    route: (name) => BY_PATH.get(name),
    handle: (route, read) => answerRoute(futures, route, read),
    headers: (isOrder) => ({ 'content-type': 'application/json', ...limits.headers(clock.now(), isOrder) }),
  });
}

/**
 * Checks limits, identity and time in this order, then handles the request. Unknown parameters are ignored, as on
 * Binance's futures.
 */
function answerRoute(futures: Futures, route: Route, { parameters, payload, apiKey }: BinanceRequest): unknown {
  const { exchange, clock, keys, limits, listenKeys, script } = futures;
  const now = clock.now();
  const serverTime = now + (script?.skewMs() ?? 0);
  limits.request(now, typeof route.weight === 'number' ? route.weight : route.weight(parameters));
  if (route.security === 'signed') authenticate(keys, apiKey, parameters, payload, serverTime);
  else if (route.security === 'key') {
    if (apiKey === undefined || !/^[A-Za-z0-9]{64}$/.test(apiKey)) throw binanceError.keyFormat();
    if (!isKnownKey(keys, apiKey)) throw binanceError.key();
  }
  if (exchange.failure) throw binanceError.internal();
  if (route.isOrder) limits.order(now);
  exchange.advance(now);
  return route.handle({ exchange, listenKeys, parameters, now, serverTime });
}
