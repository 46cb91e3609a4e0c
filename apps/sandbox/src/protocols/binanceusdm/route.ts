import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import type { Parameters } from '../binance/parameters.ts';
import type { ListenKeys } from './listenKeys.ts';

/** What an answer may need to know. */
export type RouteContext = {
  exchange: FuturesExchange;
  listenKeys: ListenKeys;
  parameters: Parameters;
  now: number;
  /** what the exchange's clock shows: `now`, unless a script has set it wrong */
  serverTime: number;
};

/** One thing the exchange can be asked. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** `signed` requests carry key, timestamp and signature; `key` ones the key alone */
  security: 'none' | 'key' | 'signed';
  /** counts as an order */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  handle(context: RouteContext): unknown;
};
