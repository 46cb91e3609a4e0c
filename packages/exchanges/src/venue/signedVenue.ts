import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Row } from '../binance/parseAccount.ts';
import type { exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import type { CcxtClass, CcxtErrors, FetchLike } from '../ccxt/library.ts';
import { tradingOnly } from '../ccxt/tradingOnly.ts';
import { type ExchangeError, ExchangeRefused } from '../errors.ts';
import { openSignedClock, type SignedClock } from '../http/clock.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { librarySecret } from '../http/signer.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { TradingConfig } from '../trading.ts';
import { openSignedCalls, type SignedCalls } from './signedCalls.ts';

const TIMEOUT_MS = 10_000;

/** What tells one venue that is traded on from another. */
export interface VenueToSign<Endpoints> {
  readonly name: string;
  readonly Base: CcxtClass;
  readonly errors: CcxtErrors;
  /** Everything that is ever signed. @see tradingOnly */
  readonly endpoints: ReadonlySet<string>;
  /** Origins that the library writes into its requests. */
  readonly library: { readonly rest: string; readonly keys: string };
  serverTime(exchange: Endpoints): Promise<Row>;
  errorOf(error: unknown, context: Parameters<typeof exchangeErrorOf>[1]): ExchangeError;
}

/** A connection that signs, with what every trading adapter does around its requests. */
export interface SignedVenue<Endpoints> extends SignedCalls {
  readonly exchange: Endpoints;
  readonly clock: SignedClock;
  /**
   * Time by the venue's clock that a new order bears: that of its decision.
   *
   * @throws InvalidNonce of the library when the venue would refuse it as too late anyhow
   */
  decidedAt(request: OrderRequest, venueTime: (at: number) => number): number;
  /** What was asked for; null when the venue does not know the order. */
  unlessUnknown<T>(ask: () => Promise<T>): Promise<T | null>;
}

/** Connects a library class to what signs, counts and keeps the time of its requests. */
export function openSignedVenue<Endpoints>(
  venue: VenueToSign<Endpoints>,
  { key, budget, markets, now, net }: TradingConfig & { readonly budget: RateBudget; readonly net: VenueNet },
): SignedVenue<Endpoints> {
  const { name, errors } = venue;
  const fetchWatched: FetchLike = async (url, init) => {
    const response = await net.send('signed', url, init);
    // Another venue counts and bans for itself.
    const { rest, keysOf } = net.hosts;
    if (keysOf === undefined || rest.includes(new URL(url).origin))
      budget.onResponse(response.status, response.headers);
    return response;
  };
  const { endpoints, library } = venue;
  const [rest = library.rest] = net.hosts.rest;
  // Where both are one, that of `rest` counts.
  const origins = new Map([[library.keys, net.hosts.keys[0] ?? rest] as const, [library.rest, rest] as const]);
  const Class = tradingOnly(venue.Base, name, { endpoints, origins, fetch: fetchWatched });
  const client = new Class({
    apiKey: key.key,
    secret: librarySecret(key.secret),
    timeout: TIMEOUT_MS,
    // The budget does this, for all bots together.
    enableRateLimit: false,
    options: { maxRetriesOnFailure: 0, recvWindow: ORDER_LIFETIME_MS },
  });
  // The library makes its endpoint methods at run time, from its own table.
  const exchange = client as unknown as Endpoints;
  const clock = openSignedClock(async () => Number((await venue.serverTime(exchange)).serverTime), now);
  const calls = openSignedCalls({
    name,
    errors,
    budget,
    clock,
    now,
    markets,
    errorOf: (error, write) => venue.errorOf(error, { exchange: name, errors, write, fault: net.fault(), now: now() }),
  });
  return {
    ...calls,
    exchange,
    clock,
    decidedAt(request, venueTime) {
      // The last thing before the request leaves: later than this the venue would refuse it anyhow.
      if (now() - request.decidedAt > ORDER_LIFETIME_MS) throw new errors.InvalidNonce('decided too long ago');
      return venueTime(request.decidedAt);
    },
    async unlessUnknown(ask) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof ExchangeRefused && error.about === 'unknown_order') return null;
        throw error;
      }
    },
  };
}
