import { type Contract, RATIO_SCALE } from '../../accounts/futures/contracts.ts';
import type { MarketStatus } from '../../market/marketConditions.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { plain } from './format.ts';
import { RATE_LIMITS } from './rateLimits.ts';

export const MAX_OPEN_ORDERS = 200;
export const MAX_ALGO_ORDERS = 200;
/** The status of a contract as Binance writes it. */
const STATUSES = {
  trading: 'TRADING',
  'cancel-only': 'PRE_SETTLE',
  halted: 'PENDING_TRADING',
  delisted: 'SETTLING',
} as const;
/** 2100-12-25, which Binance writes for perpetual contracts. */
const NEVER = 4_133_404_800_000;
const LISTED = 1_569_398_400_000;

/** Returns the response of GET /fapi/v1/exchangeInfo. @param now epoch milliseconds */
export function exchangeInfo(exchange: FuturesExchange, now: number): object {
  return {
    timezone: 'UTC',
    serverTime: now,
    futuresType: 'U_MARGINED',
    rateLimits: RATE_LIMITS,
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    symbols: exchange.markets.map((market) => symbolInfo(exchange.contract(market), market.status)),
  };
}

function symbolInfo(contract: Contract, status: MarketStatus): object {
  const { ratio, initialLeverage } = contract.brackets[0] as Contract['brackets'][number];
  const price = (ticks: number) => plain(ticks, contract.priceDecimals);
  const quantity = (steps: number) => plain(steps, contract.quantityDecimals);
  return {
    symbol: contract.symbol,
    pair: contract.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: NEVER,
    onboardDate: LISTED,
    status: STATUSES[status],
    maintMarginPercent: ((ratio / RATIO_SCALE) * 100).toFixed(4),
    requiredMarginPercent: (100 / initialLeverage).toFixed(4),
    baseAsset: contract.base,
    quoteAsset: contract.quote,
    marginAsset: contract.quote,
    pricePrecision: contract.pricePrecision,
    quantityPrecision: contract.quantityDecimals,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    underlyingSubType: [],
    settlePlan: 0,
    triggerProtect: '0.0500',
    liquidationFee: plain(contract.clearanceFee, 6),
    marketTakeBound: plain(contract.priceBand, 4),
    maxMoveOrderLimit: 10_000,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: price(1), maxPrice: price(contract.maxTick), tickSize: price(1) },
      { filterType: 'LOT_SIZE', minQty: quantity(1), maxQty: quantity(contract.maxSteps), stepSize: quantity(1) },
      {
        filterType: 'MARKET_LOT_SIZE',
        minQty: quantity(1),
        maxQty: quantity(contract.maxMarketSteps),
        stepSize: quantity(1),
      },
      { filterType: 'MAX_NUM_ORDERS', limit: MAX_OPEN_ORDERS },
      { filterType: 'MIN_NOTIONAL', notional: String(contract.minNotional) },
      {
        filterType: 'PERCENT_PRICE',
        multiplierUp: plain(10_000 + contract.priceBand, 4),
        multiplierDown: plain(10_000 - contract.priceBand, 4),
        multiplierDecimal: '4',
      },
    ],
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
  };
}
