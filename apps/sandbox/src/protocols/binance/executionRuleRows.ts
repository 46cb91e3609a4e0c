import { BUCKETS, executionRule, referenceTick } from '../../market/executionRules.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import { decimal } from './format.ts';

/** Returns the response of GET /api/v3/executionRules. */
export function executionRules(markets: readonly PairMarket[]): object {
  return { symbolRules: markets.map((market) => ({ symbol: market.pair.symbol, rules: [rule(market)] })) };
}

function rule(market: PairMarket): object {
  const { up, down } = executionRule(market);
  const times = (value: number) => value.toFixed(4);
  return {
    ruleType: 'PRICE_RANGE',
    bidLimitMultUp: times(up),
    bidLimitMultDown: times(down),
    askLimitMultUp: times(up),
    askLimitMultDown: times(down),
  };
}

/**
 * Returns the response of GET /api/v3/referencePrice; the price is null while there is none. @param time of the market
 * in epoch milliseconds
 */
export function referencePrice(market: PairMarket, time: number): object {
  return { symbol: market.pair.symbol, referencePrice: priceText(market, time), timestamp: time };
}

/** Returns a referencePrice event. */
export function referencePriceEvent(market: PairMarket, time: number): object {
  return { e: 'referencePrice', s: market.pair.symbol, r: priceText(market, time), t: time };
}

/** Returns the response of GET /api/v3/referencePrice/calculation. */
export function referenceCalculation({ pair }: PairMarket): object {
  return {
    symbol: pair.symbol,
    calculationType: 'ARITHMETIC_MEAN',
    bucketCount: BUCKETS.count,
    bucketWidthMs: BUCKETS.widthMs,
  };
}

function priceText(market: PairMarket, time: number): string | null {
  const tick = referenceTick(market, time);
  return tick === undefined ? null : decimal(tick, market.pair.priceDecimals);
}
