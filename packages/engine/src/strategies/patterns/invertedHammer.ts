import { body, isFalling, lowerShadow, type PatternCandles, upperShadow } from './candles.ts';

/** A long upper shadow in a fall, confirmed by a higher close. @see docs/indicators.md#candle-patterns */
export function invertedHammer(candles: PatternCandles): boolean {
  return (
    isFalling(candles, 2) && hasInvertedShape(candles, 1) && (candles.close[0] as number) > (candles.close[1] as number)
  );
}

/** Mirrored: the shape of a hammer in a rise, signalled at once. @see docs/indicators.md#candle-patterns */
export function hangingMan(candles: PatternCandles): boolean {
  return isFalling(candles, 1) && hasInvertedShape(candles, 0);
}

function hasInvertedShape(candles: PatternCandles, at: number): boolean {
  const size = body(candles, at);
  return size > 0 && upperShadow(candles, at) >= 2 * size && lowerShadow(candles, at) <= 0.3 * size;
}
