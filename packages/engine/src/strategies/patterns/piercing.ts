import { isFalling, isGreen, isLong, isRed, type PatternCandles } from './candles.ts';

/**
 * Returns whether a green candle opens below the close of a long red one and recovers more than half of its body, in a falling market.
 * The check of the close includes an open below the low.
 *
 * @see docs/indicators.md#candle-patterns
 */
export function piercing(candles: PatternCandles): boolean {
  const [open, openBefore] = candles.open as [number, number];
  const [close, closeBefore] = candles.close as [number, number];
  return (
    isFalling(candles, 2) &&
    isRed(candles, 1) &&
    isLong(candles, 1, 2) &&
    isGreen(candles, 0) &&
    open < closeBefore &&
    close > (openBefore + closeBefore) / 2 &&
    close < openBefore
  );
}
