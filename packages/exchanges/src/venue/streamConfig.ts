import type { Market } from '@heron/engine/market/market.ts';
import type { ExchangeError } from '../errors.ts';
import type { Channel } from '../exchange.ts';
import type { VenueNet } from '../net/venueNet.ts';

/** Dependencies of the market streams of a venue. */
export interface StreamConfig {
  /** Named in errors. */
  readonly exchange: string;
  readonly net: VenueNet;
  /** Address of the venue's streams, with the path. */
  readonly address: string;
  /** Returns the venue's name of a pair, as last loaded. */
  idOf(pair: string): string | undefined;
  /** Returns a market by the venue's name, as last loaded. */
  marketById(id: string): Market | undefined;
  /** Loads the list of pairs when it is old. @throws ExchangeError */
  loadMarkets(): Promise<void>;
  /** Returns the error of a subscription that the venue refused. */
  refused(why: string): ExchangeError;
}

/** Returns a key that is different for every channel. */
export function channelKey(channel: Channel): string {
  return channel.kind === 'candles' ? `candles ${channel.pair} ${channel.period}` : `${channel.kind} ${channel.pair}`;
}
