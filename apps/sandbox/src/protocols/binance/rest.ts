import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import type { HttpResponse } from '../../server/serve.ts';
import type { Keys } from '../../storage/dataFolder.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { authenticate, SIGNED_PARAMETERS } from './authentication.ts';
import { binanceError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rateLimits.ts';
import { respondTo } from './reply.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

export type Binance = {
  exchange: SpotExchange;
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

/** Handles one HTTP request as Binance does. It never rejects. */
export function handleRest(binance: Binance, request: IncomingMessage): Promise<HttpResponse> {
  const { limits, clock } = binance;
  return respondTo(request, {
    route: (name) => BY_PATH.get(name),
    handle: (route, { parameters, payload, apiKey }) => handleRoute(binance, route, parameters, { apiKey, payload }),
    headers: (isOrder) => ({
      'content-type': 'application/json;charset=UTF-8',
      ...limits.headers(clock.now(), isOrder),
    }),
  });
}

/** Checks limits, identity, parameters and time in this order, then handles the request. */
export function handleRoute(
  binance: Binance,
  route: Route & { known: ReadonlySet<string> },
  parameters: Parameters,
  credentials: { apiKey: string | undefined; payload: string },
): unknown {
  const { exchange, clock, keys, limits, script } = binance;
  const now = clock.now();
  const serverTime = now + (script?.skewMs() ?? 0);
  const weight = typeof route.weight === 'number' ? route.weight : route.weight(parameters);
  limits.request(now, weight);
  parameters.allow(route.known);
  if (route.signed) authenticate(keys, credentials.apiKey, parameters, credentials.payload, serverTime);
  if (exchange.failure) throw binanceError.internal();
  if (route.isOrder) limits.order(now);
  exchange.advance(now);
  const result = route.handle(exchange, parameters, now, { serverTime, limits });
  if (route.freeOnSuccess) limits.refund(now, weight);
  return result;
}
