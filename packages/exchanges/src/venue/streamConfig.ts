import type { Market } from '@heron/engine/market/market.ts';
import type { CcxtClass, CcxtErrors, CcxtExchange } from '../ccxt/library.ts';
import type { ExchangeError } from '../errors.ts';
import type { Channel } from '../exchange.ts';

/** What the streams of a venue need of its adapter. */
export interface StreamConfig {
  /** Can only read. */
  readonly Class: CcxtClass;
  readonly errors: CcxtErrors;
  readonly options: object;
  /** Address that must be dialled. */
  readonly address: string;
  /** Markets by pair and by the venue's id, as last loaded. */
  marketOf(pair: string): { market: Market; symbol: string; id: string } | undefined;
  marketById(id: string): Market | undefined;
  loadMarkets(exchange: CcxtExchange): Promise<void>;
  errorOf(error: unknown): ExchangeError;
}

/** What tells a channel from all others. */
export function channelKey(channel: Channel): string {
  return channel.kind === 'candles' ? `candles ${channel.pair} ${channel.period}` : `${channel.kind} ${channel.pair}`;
}
