import { isFalling, isGreen, isRed, type PatternCandles } from './candles.ts';

/** Returns whether a red and a green candle have the same low, in a falling market. @see docs/indicators.md#candle-patterns */
export function tweezer(candles: PatternCandles): boolean {
  const [low, lowBefore] = candles.low as [number, number];
  return (
    isFalling(candles, 2) &&
    isRed(candles, 1) &&
    isGreen(candles, 0) &&
    Math.abs(low - lowBefore) <= 0.05 * (candles.meanBody[2] as number)
  );
}
