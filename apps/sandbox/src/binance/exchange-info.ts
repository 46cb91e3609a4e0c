import type { Exchange } from '../market/exchange.ts';
import type { Pair } from '../market/pairs.ts';
import { filters } from './filters.ts';
import { RATE_LIMITS } from './rate-limits.ts';

/** What may be ordered here. */
export const ORDER_TYPES = ['LIMIT', 'LIMIT_MAKER', 'MARKET'] as const;
export const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'] as const;

/** The answer of GET /api/v3/exchangeInfo. @param now epoch milliseconds */
export function exchangeInfo(exchange: Exchange, symbols: readonly string[] | undefined, now: number): object {
  const wanted = symbols && new Set(symbols);
  return {
    timezone: 'UTC',
    serverTime: now,
    rateLimits: RATE_LIMITS,
    exchangeFilters: [],
    symbols: exchange.markets
      .filter(({ pair }) => !wanted || wanted.has(pair.symbol))
      .map(({ pair }) => symbolInfo(pair)),
  };
}

function symbolInfo(pair: Pair): object {
  return {
    symbol: pair.symbol,
    status: 'TRADING',
    baseAsset: pair.base,
    baseAssetPrecision: 8,
    quoteAsset: pair.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ORDER_TYPES,
    icebergAllowed: false,
    ocoAllowed: false,
    otoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: false,
    cancelReplaceAllowed: true,
    amendAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: filters(pair),
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
  };
}
