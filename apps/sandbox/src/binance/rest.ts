import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import type { FaultScript } from '../faults/fault-script.ts';
import type { Exchange } from '../market/exchange.ts';
import type { Reply } from '../wire/serve.ts';
import { authenticate, type Keys, SIGNED_PARAMETERS } from './authentication.ts';
import { BinanceError, refuse } from './errors.ts';
import { Parameters } from './parameters.ts';
import type { RateLimits } from './rate-limits.ts';
import { ROUTES, type Route } from './routes.ts';

/** Longest body of a request in bytes; no order needs a tenth of it. */
const BODY_BYTES = 32 * 1024;

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
    const text = await readBody(request);
    const [path = '', query = ''] = splitOnce(request.url ?? '', '?');
    const route = BY_PATH.get(`${request.method} ${path}`);
    if (!route) throw refuse.path(path.slice(0, 200), request.method ?? '');
    isOrder = route.isOrder === true;
    const apiKey = request.headers['x-mbx-apikey'];
    body = answerRoute(binance, route, Parameters.parse([query, text]), {
      apiKey: typeof apiKey === 'string' ? apiKey : undefined,
      payload: withoutSignature(query) + withoutSignature(text),
    });
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

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES) {
        request.removeAllListeners('data');
        request.resume();
        reject(refuse.tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => reject(refuse.illegalSomewhere()));
    request.on('close', () => reject(refuse.illegalSomewhere()));
  });
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function withoutSignature(text: string): string {
  return text
    .split('&')
    .filter((part) => !part.startsWith('signature='))
    .join('&');
}
