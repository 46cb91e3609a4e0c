import { isFalling, isGreen, isLong, isRed, isSmall, type PatternCandles } from './candles.ts';

/** Returns whether a small green body is inside the long red one before it, in a falling market. @see docs/indicators.md#candle-patterns */
export function harami(candles: PatternCandles): boolean {
  const [open, openBefore] = candles.open as [number, number];
  const [close, closeBefore] = candles.close as [number, number];
  return (
    isFalling(candles, 2) &&
    isRed(candles, 1) &&
    isLong(candles, 1, 2) &&
    isGreen(candles, 0) &&
    isSmall(candles, 0, 2) &&
    open >= closeBefore &&
    close <= openBefore
  );
}
