import { isFalling, isGreen, isRed, type PatternCandles } from './candles.ts';

/** Returns whether a green body engulfs the red one before it, in a falling market. @see docs/indicators.md#candle-patterns */
export function engulfing(candles: PatternCandles): boolean {
  const [open, openBefore] = candles.open as [number, number];
  const [close, closeBefore] = candles.close as [number, number];
  return (
    isFalling(candles, 2) &&
    isRed(candles, 1) &&
    isGreen(candles, 0) &&
    open <= closeBefore &&
    close >= openBefore &&
    (open < closeBefore || close > openBefore)
  );
}
