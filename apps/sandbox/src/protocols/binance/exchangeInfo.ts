import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { filters } from './filters.ts';
import { RATE_LIMITS } from './rateLimits.ts';

/** The order types of the exchange. */
export const ORDER_TYPES = [
  'LIMIT',
  'LIMIT_MAKER',
  'MARKET',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] as const;
export const SELF_TRADE_MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const;

/** The status of a market as Binance writes it. */
export const STATUSES = {
  trading: 'TRADING',
  'cancel-only': 'CANCEL_ONLY',
  halted: 'HALT',
  delisted: 'BREAK',
} as const;

/** Returns the response of GET /api/v3/exchangeInfo. @param now epoch milliseconds by the exchange's clock */
export function exchangeInfo(exchange: SpotExchange, markets: readonly PairMarket[] | undefined, now: number): object {
  return {
    timezone: 'UTC',
    serverTime: now,
    rateLimits: RATE_LIMITS,
    exchangeFilters: [],
    symbols: (markets ?? exchange.markets).map(symbolInfo),
  };
}

function symbolInfo({ pair, status }: PairMarket): object {
  return {
    symbol: pair.symbol,
    status: STATUSES[status],
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
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: false,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: filters(pair),
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: SELF_TRADE_MODES,
  };
}
