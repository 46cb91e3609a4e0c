import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import type { Parameters } from './parameters.ts';
import type { RateLimits } from './rateLimits.ts';

/** What the protocol knows beside the exchange. */
export type RouteContext = {
  /** what the exchange's clock shows, epoch milliseconds; a script may have set it wrong */
  serverTime: number;
  limits: RateLimits;
};

/** One thing the exchange can be asked, over REST and, where `wsMethod` is named, over the WebSocket API. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  wsMethod?: string;
  /** signed requests carry key, timestamp and signature */
  signed: boolean;
  /** counts as an order */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  /** what weighs nothing when it is done, and is charged only when it fails */
  freeWhenDone?: true;
  parameters: readonly string[];
  /** @param now market time, epoch milliseconds */
  handle(exchange: SpotExchange, parameters: Parameters, now: number, at: RouteContext): unknown;
};
