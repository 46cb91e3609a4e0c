import type { WebSocket } from 'ws';
import { applyRequestFaults } from '../../faults/requestFaults.ts';
import { sendEvent } from '../../faults/socketFaults.ts';
import type { Pair } from '../../market/pairs.ts';
import type { ExchangeEvent } from '../../venues/spot/spotExchange.ts';
import { authenticate, SIGNED_PARAMETERS } from './authentication.ts';
import { BinanceError, binanceError } from './errors.ts';
import { accountPosition, executionReport } from './orderRows.ts';
import { Parameters } from './parameters.ts';
import { asBinanceError } from './reply.ts';
import { type Binance, handleRoute } from './rest.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes.ts';

const BY_METHOD = new Map<string, Route & { known: ReadonlySet<string> }>(
  ROUTES.flatMap((route) =>
    route.wsMethod === undefined
      ? []
      : [
          [
            route.wsMethod,
            {
              ...route,
              known: new Set([
                ...route.parameters,
                'apiKey',
                'returnRateLimits',
                ...(route.signed ? SIGNED_PARAMETERS : []),
              ]),
            },
          ] as const,
        ],
  ),
);

const SUBSCRIBE_PARAMETERS = new Set<string>(['apiKey', 'returnRateLimits', ...SIGNED_PARAMETERS]);

/** The WebSocket API: the requests of REST, and the events of the account. */
export class WsApi {
  readonly #binance: Binance;
  readonly #pairs: ReadonlyMap<string, Pair>;
  /** Subscription numbers of each connection. */
  readonly #subscribers = new Map<WebSocket, Set<number>>();
  #subscriptions = 0;

  constructor(binance: Binance) {
    this.#binance = binance;
    this.#pairs = new Map(binance.exchange.markets.map(({ pair }) => [pair.symbol, pair]));
    binance.exchange.addListener((events) => this.#onEvents(events));
  }

  accept(socket: WebSocket): void {
    socket.on('message', (data) => {
      if (this.#binance.script) void this.#respondWithFaults(socket, String(data));
      else socket.send(JSON.stringify(this.#respond(socket, String(data))));
    });
    socket.on('close', () => this.#subscribers.delete(socket));
  }

  #onEvents(events: readonly ExchangeEvent[]): void {
    if (this.#subscribers.size === 0) return;
    const time = this.#binance.exchange.time;
    for (const event of events) {
      if (event.kind !== 'account') continue;
      const report = executionReport(this.#pairs, event, time);
      if (report) this.#push('executionReport', report);
      this.#push('outboundAccountPosition', accountPosition(event, time));
    }
  }

  #push(name: string, event: object): void {
    for (const [socket, numbers] of this.#subscribers) {
      for (const subscriptionId of numbers) {
        sendEvent(this.#binance.script, socket, `user ${name}`, JSON.stringify({ subscriptionId, event }));
      }
    }
  }

  /** Responds as `#respond` does, with the faults of the script. */
  async #respondWithFaults(socket: WebSocket, text: string): Promise<void> {
    const { id, subject } = subjectOf(text);
    let response: object | undefined;
    for (const at of ['before', 'after'] as const) {
      const outcome = await applyRequestFaults(this.#binance.script, at, subject);
      if (outcome === 'drop') socket.terminate();
      if (outcome === 'hang' || outcome === 'drop') return;
      if (outcome !== 'continue') {
        const { status, code, msg, retryAfter } = outcome;
        response = { id, status, error: this.#error({ code, msg }, retryAfter) };
        break;
      }
      response ??= this.#respond(socket, text);
    }
    socket.send(JSON.stringify(response));
  }

  #respond(socket: WebSocket, text: string): object {
    let id: unknown = null;
    try {
      const message = readMessage(text);
      id = message.id;
      const response = { id, status: 200, result: this.#execute(socket, message) };
      return message.withoutLimits ? response : { ...response, rateLimits: this.#report() };
    } catch (error) {
      const rejection = asBinanceError(error);
      return {
        id,
        status: rejection.status,
        error: this.#error(rejection.body, rejection.retryAfter),
        rateLimits: this.#report(),
      };
    }
  }

  /** Adds the time until which to wait to an error, epoch milliseconds. @param retryAfter seconds */
  #error(body: object, retryAfter: number | undefined): object {
    if (retryAfter === undefined) return body;
    const serverTime = this.#binance.clock.now();
    return { ...body, data: { serverTime, retryAfter: serverTime + retryAfter * 1_000 } };
  }

  #report(): object[] {
    return this.#binance.limits.report(this.#binance.clock.now());
  }

  #execute(socket: WebSocket, { method, parameters, payload }: Message): unknown {
    const apiKey = parameters.text('apiKey');
    const route = BY_METHOD.get(method);
    if (route) return handleRoute(this.#binance, route, parameters, { apiKey, payload });
    const { limits, clock, keys, script } = this.#binance;
    if (method === 'userDataStream.subscribe.signature') {
      limits.request(clock.now(), 2);
      parameters.allow(SUBSCRIBE_PARAMETERS);
      authenticate(keys, apiKey, parameters, payload, clock.now() + (script?.skewMs() ?? 0));
      const subscriptionId = this.#subscriptions++;
      const numbers = this.#subscribers.get(socket) ?? new Set();
      this.#subscribers.set(socket, numbers.add(subscriptionId));
      return { subscriptionId };
    }
    if (method === 'userDataStream.unsubscribe') {
      limits.request(clock.now(), 2);
      const number = parameters.integer('subscriptionId');
      const numbers = this.#subscribers.get(socket);
      if (number === undefined) this.#subscribers.delete(socket);
      else {
        if (!numbers?.delete(number)) throw binanceError.invalid('subscriptionId');
        if (numbers.size === 0) this.#subscribers.delete(socket);
      }
      return {};
    }
    throw new BinanceError(-1020, 'This operation is not supported.');
  }
}

type Message = { id: unknown; method: string; parameters: Parameters; payload: string; withoutLimits: boolean };

/** Reads a request. @throws BinanceError -1135 when it is not one */
function readMessage(text: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw invalidRequest();
  }
  if (typeof message !== 'object' || message === null) throw invalidRequest();
  const { id, method, params = {} } = message as { [name: string]: unknown };
  if (typeof method !== 'string' || typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw invalidRequest();
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined) continue;
    values.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const payload = [...values]
    .filter(([name]) => name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method,
    parameters: new Parameters(values),
    payload,
    withoutLimits: values.get('returnRateLimits') === 'false',
  };
}

/** Returns the subject of a request for the fault script: its method. */
function subjectOf(text: string): { id: unknown; subject: string } {
  try {
    const { id, method } = readMessage(text);
    return { id, subject: `WS ${method}` };
  } catch {
    return { id: null, subject: 'WS ' };
  }
}

function invalidRequest(): BinanceError {
  return new BinanceError(-1135, 'Invalid JSON Request');
}
