import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { type Market, marketOf } from '@heron/engine/market/market.ts';

/** Binance's least order value for USDT pairs. */
const MIN_NOTIONAL = 5;

/**
 * The grid of a pair known only by its candles: the tick is the finest decimal of the prices; the step the greatest
 * power of ten worth at most one unit of quote, which is how exchanges choose theirs.
 *
 * @param given values that the user knows better
 */
export function gridOf(
  pair: string,
  candles: CandleColumns,
  priceDecimals: number,
  given: { tick?: number; step?: number; minNotional?: number },
): Market {
  const price = candles.open[0] ?? 1;
  const stepDecimals = Math.min(8, Math.max(0, Math.ceil(Math.log10(price))));
  const stepSize = given.step ?? Number(`1e-${stepDecimals}`);
  return marketOf({
    pair,
    tickSize: given.tick ?? Number(`1e-${Math.min(8, priceDecimals)}`),
    stepSize,
    minQuantity: stepSize,
    maxQuantity: Number.POSITIVE_INFINITY,
    minNotional: given.minNotional ?? MIN_NOTIONAL,
  });
}
