/**
 * The newest closed candles as a pattern sees them. Index 0 is the newest of every array; the last three can be part of a
 * pattern, index 3 is the candle before a pattern of three.
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
  /** False when patterns hold in any context. */
  readonly inContext: boolean;
}

/** A pattern: whether it ends at the newest candle. Bearish ones are written for bullish candles and shown mirrored ones. */
export type Pattern = (candles: PatternCandles) => boolean;

export function isGreen({ open, close }: PatternCandles, at: number): boolean {
  return (close[at] as number) > (open[at] as number);
}

export function isRed({ open, close }: PatternCandles, at: number): boolean {
  return (close[at] as number) < (open[at] as number);
}

/** B: size of the body. @see docs/indicators.md#candle-patterns */
export function body({ open, close }: PatternCandles, at: number): number {
  return Math.abs((close[at] as number) - (open[at] as number));
}

/** U: length of the upper shadow. @see docs/indicators.md#candle-patterns */
export function upperShadow({ open, high, close }: PatternCandles, at: number): number {
  return (high[at] as number) - Math.max(open[at] as number, close[at] as number);
}

/** D: length of the lower shadow. @see docs/indicators.md#candle-patterns */
export function lowerShadow({ open, low, close }: PatternCandles, at: number): number {
  return Math.min(open[at] as number, close[at] as number) - (low[at] as number);
}

/** The body is above the mean of the ten before the pattern. `count`: candles of the pattern. */
export function isLong(candles: PatternCandles, at: number, count: number): boolean {
  return body(candles, at) > (candles.meanBody[count] as number);
}

/** The body is below half the mean of the ten before the pattern. */
export function isSmall(candles: PatternCandles, at: number, count: number): boolean {
  return body(candles, at) < 0.5 * (candles.meanBody[count] as number);
}

/** "fall": the candle before the pattern closed below the trend mean. */
export function isFalling(candles: PatternCandles, count: number): boolean {
  return !candles.inContext || (candles.overTrend[count] as number) < 0;
}
