import { ORDER_LIFETIME_MS, type OrderRequest, type SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import { AssetUnitDiffers, ExchangeRefused } from '../errors.ts';
import { openSignedClock, type SignedClock, serverTimeOf } from '../http/clock.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { type Endpoints, openSignedClient, type SignedClient, type Signer } from '../http/signedClient.ts';
import { checkSecret } from '../http/signer.ts';
import { type ErrorReader, orderTooLate, readPart } from '../http/venueError.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { TradingConfig } from '../trading.ts';
import { openSignedCalls, type SignedCalls } from './signedCalls.ts';

/** One venue's signed endpoints. */
export interface VenueToSign {
  /** Named in errors. */
  readonly name: string;
  /** Every request that can be sent. */
  readonly endpoints: Endpoints;
  /** Endpoint of the venue's clock. */
  readonly time: string;
  readonly sign: Signer;
  readonly readError: ErrorReader;
}

/** Options of a trading adapter. */
export interface SignedVenueConfig extends TradingConfig {
  /** Network access of the venue. The caller that opened it closes it. */
  readonly net: VenueNet;
  /** Shared by all requests of this process to the venue. */
  readonly budget: RateBudget;
}

/** A signing client with the clock, the rate budget and the markets of its venue. */
export interface SignedVenue extends SignedCalls {
  readonly client: SignedClient;
  readonly clock: SignedClock;
  /**
   * Returns the market of an order that is to be sent.
   *
   * @throws AssetUnitDiffers when the order is counted in another unit, so that another amount would be traded
   */
  marketOfRequest(request: Pick<SizedOrderRequest, 'pair' | 'assetDecimals'>): Promise<Market>;
  /**
   * Returns the time by the venue's clock that a new order bears: that of its decision, or that of sending where the clock
   * of the machine was set back since.
   *
   * @param committedAt as in `TradingExchange.place`
   * @throws ExchangeUnreachable when the venue would refuse the order as too late, also by a clock that is never set
   */
  orderTimestamp(request: OrderRequest, venueTime: (at: number) => number, committedAt: number): number;
  /**
   * Runs a part that reads the response to a write. The write was executed.
   *
   * @throws OutcomeUnknown when the response does not have the documented form, so that the order must be queried
   */
  readable<T>(read: () => T): T;
  /** Returns null when the venue does not know the order. */
  unlessUnknown<T>(query: () => Promise<T>): Promise<T | null>;
}

/** @throws TypeError for a private key that is not Ed25519 */
export function openSignedVenue(venue: VenueToSign, config: SignedVenueConfig): SignedVenue {
  const { name, endpoints, sign, readError } = venue;
  const { key, budget, markets, now, net } = config;
  checkSecret(key.secret);
  const client = openSignedClient({ name, net, key, endpoints, sign, budget, readError, now });
  const contextOf = (write: boolean) => ({ exchange: name, write, fault: net.fault(), now: now() });
  const clock = openSignedClock(async () => {
    const answer = await client.row(venue.time, {});
    return readPart(() => serverTimeOf(answer), contextOf(false));
  }, now);
  const calls = openSignedCalls({ name, budget, clock, now, markets });
  return {
    ...calls,
    client,
    clock,
    async marketOfRequest({ pair, assetDecimals }) {
      const known = await calls.marketOf(pair);
      if (known.assetDecimals === assetDecimals) return known;
      // A pair that no bot used may have got a finer unit since the markets were read.
      const market = await calls.rereadMarket(pair);
      if (market.assetDecimals === assetDecimals) return market;
      throw new AssetUnitDiffers(name, new AssetUnitChanged(pair, market.assetDecimals, assetDecimals, 'live'));
    },
    orderTimestamp(request, venueTime, committedAt) {
      // The last check before the request is sent. A clock that was set back makes the order look younger than it is.
      const age = Math.max(now() - request.decidedAt, performance.now() - committedAt);
      if (age > ORDER_LIFETIME_MS) throw orderTooLate(name);
      return venueTime(Math.min(request.decidedAt, now()));
    },
    readable: (read) => readPart(read, contextOf(true)),
    async unlessUnknown(query) {
      try {
        return await query();
      } catch (error) {
        if (error instanceof ExchangeRefused && error.about === 'unknown_order') return null;
        throw error;
      }
    },
  };
}
