/**
 * Computes the true range: `max(h − l, |h − c₋₁|, |l − c₋₁|)`; h − l for the first candle, where `before` is NaN.
 *
 * @param before close of the previous candle
 * @see docs/indicators.md#true-range
 */
export function trueRange(high: number, low: number, before: number): number {
  if (Number.isNaN(before)) return high - low;
  return (high > before ? high : before) - (low < before ? low : before);
}
