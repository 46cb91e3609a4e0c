import { body, isGreen, isLong, type PatternCandles, upperShadow } from './candles.ts';

/**
 * Returns whether three long green candles rise, each from inside the previous body, with short upper shadows.
 *
 * @see docs/indicators.md#candle-patterns
 */
export function threeSoldiers(candles: PatternCandles): boolean {
  const { open, close } = candles;
  for (let at = 0; at < 3; at++) {
    if (!isGreen(candles, at) || !isLong(candles, at, 3)) return false;
    if (upperShadow(candles, at) >= 0.3 * body(candles, at)) return false;
  }
  return climbs(open, close, 0) && climbs(open, close, 1);
}

function climbs(open: readonly number[], close: readonly number[], at: number): boolean {
  const start = open[at] as number;
  const startBefore = open[at + 1] as number;
  const endBefore = close[at + 1] as number;
  return (close[at] as number) > endBefore && start >= startBefore && start <= endBefore;
}
