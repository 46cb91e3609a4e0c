/**
 * The newest closed candles, for patterns. Index 0 of every array is the newest candle. Indices 0 to 2 can be part of a pattern,
 * and index 3 is the candle before a pattern of three.
 */
export interface PatternCandles {
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  /** Mean body of the ten candles that end here; NaN while undefined. */
  meanBody: number[];
  /** Close less the mean that defines the context; NaN while undefined. */
  overTrend: number[];
  /** Whether patterns require a trend before them; false when they are valid in any context. */
  readonly inContext: boolean;
}

/** Returns whether a pattern ends at the newest candle. Bearish patterns are bullish patterns on mirrored candles. */
export type Pattern = (candles: PatternCandles) => boolean;

export function isGreen({ open, close }: PatternCandles, at: number): boolean {
  return (close[at] as number) > (open[at] as number);
}

export function isRed({ open, close }: PatternCandles, at: number): boolean {
  return (close[at] as number) < (open[at] as number);
}

/** Returns B, the size of the body. @see docs/indicators.md#candle-patterns */
export function body({ open, close }: PatternCandles, at: number): number {
  return Math.abs((close[at] as number) - (open[at] as number));
}

/** Returns U, the length of the upper shadow. @see docs/indicators.md#candle-patterns */
export function upperShadow({ open, high, close }: PatternCandles, at: number): number {
  return (high[at] as number) - Math.max(open[at] as number, close[at] as number);
}

/** Returns D, the length of the lower shadow. @see docs/indicators.md#candle-patterns */
export function lowerShadow({ open, low, close }: PatternCandles, at: number): number {
  return Math.min(open[at] as number, close[at] as number) - (low[at] as number);
}

/** Returns whether the body is above the mean of the ten before the pattern. `count` is the length of the pattern. */
export function isLong(candles: PatternCandles, at: number, count: number): boolean {
  return body(candles, at) > (candles.meanBody[count] as number);
}

/** Returns whether the body is below half the mean of the ten before the pattern. */
export function isSmall(candles: PatternCandles, at: number, count: number): boolean {
  return body(candles, at) < 0.5 * (candles.meanBody[count] as number);
}

/** Returns whether the candle before the pattern closed below the trend mean, or patterns are valid in any context. */
export function isFalling(candles: PatternCandles, count: number): boolean {
  return !candles.inContext || (candles.overTrend[count] as number) < 0;
}
