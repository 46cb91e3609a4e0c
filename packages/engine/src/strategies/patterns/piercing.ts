import { isFalling, isGreen, isLong, isRed, type PatternCandles } from './candles.ts';

/**
 * A green candle opens below the close of a long red one and takes back more than half of it, in a fall. An open below its
 * low is below its close, too.
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
