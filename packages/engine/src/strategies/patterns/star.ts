import { isFalling, isGreen, isLong, isRed, isSmall, type PatternCandles } from './candles.ts';

/**
 * Returns whether a long red and a small candle precede a green close above the middle of the first body, in a falling market.
 *
 * @see docs/indicators.md#candle-patterns
 */
export function star(candles: PatternCandles): boolean {
  const firstMiddle = ((candles.open[2] as number) + (candles.close[2] as number)) / 2;
  return (
    isFalling(candles, 3) &&
    isRed(candles, 2) &&
    isLong(candles, 2, 3) &&
    isSmall(candles, 1, 3) &&
    isGreen(candles, 0) &&
    (candles.close[0] as number) > firstMiddle
  );
}
