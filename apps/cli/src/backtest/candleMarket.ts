import type { CandleColumns } from '@heron/engine/market/candle.ts';
import { type Market, marketOf } from '@heron/engine/market/market.ts';

/** Minimum order value of Binance for USDT pairs. */
const MIN_NOTIONAL = 5;

/**
 * Returns the market of a pair of which only candles are known. The tick size is the finest decimal of the prices. The
 * step size is the largest power of ten worth at most one unit of quote, as exchanges choose theirs.
 *
 * @param given values that the user has set
 */
export function marketFromCandles(
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
