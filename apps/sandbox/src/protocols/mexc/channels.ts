import type { Interval } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { STREAM_INTERVALS } from './intervals.ts';

/** Speeds of the aggregated channels. */
export type Speed = '10ms' | '100ms';
export const LEVELS = [5, 10, 20] as const;
/** Offsets from UTC for day statistics; here all of them mean the last 24 hours. */
const ZONE = /^(24H|UTC[+-](1[0-4]|[0-9]))$/;

export const ACCOUNT = 'spot@private.account.v3.api.pb';
export const DEALS = 'spot@private.deals.v3.api.pb';
export const ORDERS = 'spot@private.orders.v3.api.pb';
const PRIVATE: ReadonlySet<string> = new Set([ACCOUNT, DEALS, ORDERS]);

export const eventTypes = {
  deals: (speed: Speed) => `spot@public.aggre.deals.v3.api.pb@${speed}`,
  depth: (speed: Speed) => `spot@public.aggre.depth.v3.api.pb@${speed}`,
  bookTicker: (speed: Speed) => `spot@public.aggre.bookTicker.v3.api.pb@${speed}`,
  bookTickers: 'spot@public.bookTicker.batch.v3.api.pb',
  limitDepth: 'spot@public.limit.depth.v3.api.pb',
  kline: 'spot@public.kline.v3.api.pb',
  miniTicker: 'spot@public.miniTicker.v3.api.pb',
  miniTickers: 'spot@public.miniTickers.v3.api.pb',
};

/** A kline channel, whose name depends on more than a pair. */
export type KlineChannel = { name: string; market: PairMarket; interval: Interval; intervalName: string };

export function klineChannel(market: PairMarket, intervalName: string, interval: Interval): KlineChannel {
  const name = `${eventTypes.kline}@${market.pair.symbol}@${intervalName}`;
  return { name, market, interval, intervalName };
}

/** Whether a channel of that name exists. @param isAccount whether the connection has a listen key */
export function isChannel(exchange: SpotExchange, name: string, isAccount: boolean): boolean {
  if (PRIVATE.has(name)) return isAccount;
  const parts = name.split('@');
  const [market, kind = '', first = '', second = ''] = parts;
  if (market !== 'spot') return false;
  const isPair = (symbol: string) => exchange.market(symbol) !== undefined;
  switch (kind) {
    case 'public.aggre.deals.v3.api.pb':
    case 'public.aggre.depth.v3.api.pb':
    case 'public.aggre.bookTicker.v3.api.pb':
      return parts.length === 4 && (first === '10ms' || first === '100ms') && isPair(second);
    case 'public.bookTicker.batch.v3.api.pb':
      return parts.length === 3 && isPair(first);
    case 'public.limit.depth.v3.api.pb':
      return parts.length === 4 && isPair(first) && LEVELS.some((level) => String(level) === second);
    case 'public.kline.v3.api.pb':
      return parts.length === 4 && isPair(first) && STREAM_INTERVALS.has(second);
    case 'public.miniTicker.v3.api.pb':
      return parts.length === 4 && isPair(first) && ZONE.test(second);
    case 'public.miniTickers.v3.api.pb':
      return parts.length === 3 && ZONE.test(first);
    default:
      return false;
  }
}
