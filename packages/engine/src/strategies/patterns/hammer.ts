import { body, isFalling, lowerShadow, type PatternCandles, upperShadow } from './candles.ts';

/**
 * Returns whether a body at the top has a long lower shadow, in a falling market. The mirrored pattern is the shooting star.
 *
 * @see docs/indicators.md#candle-patterns
 */
export function hammer(candles: PatternCandles): boolean {
  const size = body(candles, 0);
  return (
    isFalling(candles, 1) && size > 0 && lowerShadow(candles, 0) >= 2 * size && upperShadow(candles, 0) <= 0.3 * size
  );
}
