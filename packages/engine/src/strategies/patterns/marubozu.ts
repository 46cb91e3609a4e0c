import { body, isGreen, isLong, lowerShadow, type PatternCandles, upperShadow } from './candles.ts';

/** Returns whether a long green body has almost no shadows, in any context. @see docs/indicators.md#candle-patterns */
export function marubozu(candles: PatternCandles): boolean {
  const shadow = 0.05 * body(candles, 0);
  return (
    isGreen(candles, 0) &&
    isLong(candles, 0, 1) &&
    upperShadow(candles, 0) <= shadow &&
    lowerShadow(candles, 0) <= shadow
  );
}
