import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import type { Parameters } from '../binance/parameters.ts';
import type { ListenKeys } from './listenKeys.ts';

/** The request, and the state of the exchange that a route uses. */
export type RouteContext = {
  exchange: FuturesExchange;
  listenKeys: ListenKeys;
  parameters: Parameters;
  now: number;
  /** Epoch milliseconds by the exchange's clock: `now`, unless a script of faults offsets it. */
  serverTime: number;
};

/** An endpoint over REST. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** `signed` requests have a key, a timestamp and a signature; `key` requests have the key alone. */
  security: 'none' | 'key' | 'signed';
  /** Whether it counts as an order. */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  handle(context: RouteContext): unknown;
};
