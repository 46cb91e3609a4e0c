import { type Market, marketOf } from '@heron/engine/market/market.ts';
import fc from 'fast-check';

/** Tick and step sizes of real pairs. */
export const MARKETS = [
  { pair: 'BTC-USDT', tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, maxQuantity: 9000, minNotional: 5 },
  { pair: 'ETH-USDT', tickSize: 0.01, stepSize: 0.0001, minQuantity: 0.0001, maxQuantity: 9000, minNotional: 5 },
  { pair: 'SOL-USDT', tickSize: 0.01, stepSize: 0.001, minQuantity: 0.001, maxQuantity: 90_000, minNotional: 5 },
  { pair: 'DOGE-USDT', tickSize: 0.00001, stepSize: 1, minQuantity: 1, maxQuantity: 9_000_000, minNotional: 1 },
].map(marketOf);

/** Returns `count` different pairs with tick and step sizes of real ones, the real ones first. */
export function pairsOf(count: number) {
  return Array.from({ length: count }, (_, k) => {
    const model = MARKETS[k % MARKETS.length] as Market;
    const base = k < MARKETS.length ? model.base : `${model.base}${k}`;
    return { ...model, pair: `${base}-USDT`, base };
  });
}

/** Creates a fictional spot pair with small tick and step sizes, for a price of about 100. */
export function altMarket(base = 'ALT') {
  const grid = { tickSize: 0.01, stepSize: 0.00001, minQuantity: 0.00001, maxQuantity: 1e6, minNotional: 5 };
  return marketOf({ pair: `${base}-USDT`, ...grid });
}

export const market = fc.constantFrom(...MARKETS);
/** Fee percents of the option table. */
export const feePercent = fc.integer({ min: 1, max: 50 }).map((hundredths) => hundredths / 100);
