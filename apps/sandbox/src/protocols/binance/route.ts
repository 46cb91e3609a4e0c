import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rateLimits.ts';

/** The state of the protocol beside the exchange. */
export type RouteContext = {
  /** Epoch milliseconds by the exchange's clock; a script of faults may offset it. */
  serverTime: number;
  limits: RateLimits;
};

/** An endpoint over REST and, with `wsMethod`, over the WebSocket API. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  wsMethod?: string;
  /** Signed requests have a key, a timestamp and a signature. */
  signed: boolean;
  /** Whether it counts as an order. */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  /** Whether a success weighs nothing, so that only failures count. */
  freeOnSuccess?: true;
  parameters: readonly string[];
  /** @param now market time, epoch milliseconds */
  handle(exchange: SpotExchange, parameters: Parameters, now: number, at: RouteContext): unknown;
};
