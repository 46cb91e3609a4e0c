import { stepUnit } from '../../accounts/money.ts';
import { AVERAGE_MINUTES, averageTick } from '../../market/averageTick.ts';
import { referenceTick } from '../../market/executionRules.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { notionalDecimals, type Pair } from '../../market/pairs.ts';
import { binanceError } from './errors.ts';
import { decimal } from './format.ts';

/** A limit price may be this many times above or below the average of the last minutes. */
const PRICE_UP = 5;
const PRICE_DOWN = 0.2;
export const MAX_OPEN_ORDERS = 200;
/** Maximum number of untriggered stop orders in one market. */
export const MAX_STOP_ORDERS = 5;

/** Returns the filters of a pair for exchangeInfo. All of them are enforced, and no other. */
export function filters(pair: Pair): object[] {
  const price = (ticks: number) => decimal(ticks, pair.priceDecimals);
  const quantity = (steps: number) => decimal(steps, pair.quantityDecimals);
  return [
    { filterType: 'PRICE_FILTER', minPrice: price(1), maxPrice: price(pair.maxTick), tickSize: price(1) },
    { filterType: 'LOT_SIZE', minQty: quantity(1), maxQty: quantity(pair.maxSteps), stepSize: quantity(1) },
    {
      filterType: 'MARKET_LOT_SIZE',
      minQty: quantity(0),
      maxQty: quantity(pair.maxMarketSteps),
      stepSize: quantity(0),
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: String(PRICE_UP),
      bidMultiplierDown: String(PRICE_DOWN),
      askMultiplierUp: String(PRICE_UP),
      askMultiplierDown: String(PRICE_DOWN),
      avgPriceMins: AVERAGE_MINUTES,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: decimal(pair.minNotional, 0),
      applyMinToMarket: true,
      maxNotional: decimal(pair.maxNotional, 0),
      applyMaxToMarket: false,
      avgPriceMins: AVERAGE_MINUTES,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_STOP_ORDERS },
  ];
}

/** Returns the price that filters compare with, in ticks: the reference price, or the average price without one. */
export function filterTick(market: PairMarket): number {
  const { time } = market.recent.last() ?? { time: 0 };
  return referenceTick(market, time) ?? averageTick(market);
}

/** @param units price in 1e-8 of the quote. @returns ticks */
export function checkPrice(market: PairMarket, units: bigint): number {
  const { pair } = market;
  const tickUnit = 10n ** BigInt(8 - pair.priceDecimals);
  const tick = units / tickUnit;
  if (units % tickUnit !== 0n || tick < 1n || tick > BigInt(pair.maxTick)) throw binanceError.filter('PRICE_FILTER');
  const average = filterTick(market);
  if (Number(tick) > average * PRICE_UP || Number(tick) < average * PRICE_DOWN) {
    throw binanceError.filter('PERCENT_PRICE_BY_SIDE');
  }
  return Number(tick);
}

/** @param units quantity in 1e-8 of the base. @returns steps */
export function checkQuantity(market: PairMarket, units: bigint, isMarket: boolean): number {
  const { pair } = market;
  const step = stepUnit(pair);
  const steps = units / step;
  if (units % step !== 0n || steps < 1n || steps > BigInt(pair.maxSteps)) throw binanceError.filter('LOT_SIZE');
  if (isMarket && steps > BigInt(pair.maxMarketSteps)) throw binanceError.filter('MARKET_LOT_SIZE');
  return Number(steps);
}

/** @param tick price in ticks, a fraction for an average; market orders have a minimum value only */
export function checkNotional(market: PairMarket, tick: number, steps: number, isMarket: boolean): void {
  const { pair } = market;
  const scale = 10 ** notionalDecimals(pair);
  const value = tick * steps;
  if (value < pair.minNotional * scale || (!isMarket && value > pair.maxNotional * scale)) {
    throw binanceError.filter('NOTIONAL');
  }
}

/** @param units value of a market order in 1e-8 of the quote */
export function checkQuoteOrder(market: PairMarket, units: bigint): void {
  if (units < BigInt(market.pair.minNotional) * 10n ** 8n) throw binanceError.filter('NOTIONAL');
}
