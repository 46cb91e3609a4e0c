import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { fixed, plain } from './format.ts';
import { MEXC_FEES } from './pairs.ts';

/** Maximum bid as a multiple of the last price, and minimum ask as a part of it. */
export const BID_UP = 5;
export const ASK_DOWN = 0.2;

/** Fee rates as MEXC writes them. */
export const MAKER_RATE = plain(MEXC_FEES.maker, 5);
export const TAKER_RATE = plain(MEXC_FEES.taker, 5);

/** Returns the response of GET /api/v3/exchangeInfo. */
export function exchangeInfo(markets: readonly PairMarket[], now: number): object {
  return {
    timezone: 'CST',
    serverTime: now,
    rateLimits: [],
    exchangeFilters: [],
    symbols: markets.map(symbolInfo),
  };
}

/** The status of a market, as MEXC's numbers. */
const STATUSES = { trading: '1', 'cancel-only': '2', halted: '2', delisted: '3' } as const;

function symbolInfo({ pair, status }: PairMarket): object {
  const min = String(pair.minNotional);
  const max = String(pair.maxNotional);
  return {
    symbol: pair.symbol,
    status: STATUSES[status],
    baseAsset: pair.base,
    baseAssetPrecision: pair.quantityDecimals,
    quoteAsset: pair.quote,
    quotePrecision: pair.priceDecimals,
    quoteAssetPrecision: pair.priceDecimals,
    baseCommissionPrecision: pair.quantityDecimals,
    quoteCommissionPrecision: pair.priceDecimals,
    orderTypes: ['LIMIT', 'MARKET', 'LIMIT_MAKER'],
    quoteOrderQtyMarketAllowed: true,
    isSpotTradingAllowed: status === 'trading',
    isMarginTradingAllowed: false,
    quoteAmountPrecision: min,
    baseSizePrecision: fixed(1, pair.quantityDecimals),
    permissions: ['SPOT'],
    filters: [
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        bidMultiplierUp: String(BID_UP),
        askMultiplierDown: String(ASK_DOWN),
      },
    ],
    maxQuoteAmount: max,
    makerCommission: MAKER_RATE,
    takerCommission: TAKER_RATE,
    quoteAmountPrecisionMarket: min,
    maxQuoteAmountMarket: max,
    fullName: pair.base,
    tradeSideType: 1,
    contractAddress: '',
    st: false,
  };
}

/** Returns the names of all pairs that can be traded over the API. */
export function tradableSymbols({ markets }: SpotExchange): object {
  return {
    code: 200,
    data: markets.filter(({ status }) => status === 'trading').map(({ pair }) => pair.symbol),
    msg: null,
  };
}
