import { body, isFalling, lowerShadow, type PatternCandles, upperShadow } from './candles.ts';

/** Returns whether a higher close confirms a long upper shadow, in a falling market. @see docs/indicators.md#candle-patterns */
export function invertedHammer(candles: PatternCandles): boolean {
  return (
    isFalling(candles, 2) && hasInvertedShape(candles, 1) && (candles.close[0] as number) > (candles.close[1] as number)
  );
}

/** Detects, on mirrored candles, the shape of a hammer in a rising market without confirmation. @see docs/indicators.md#candle-patterns */
export function hangingMan(candles: PatternCandles): boolean {
  return isFalling(candles, 1) && hasInvertedShape(candles, 0);
}

function hasInvertedShape(candles: PatternCandles, at: number): boolean {
  const size = body(candles, at);
  return size > 0 && upperShadow(candles, at) >= 2 * size && lowerShadow(candles, at) <= 0.3 * size;
}
