/**
 * Returns the longest drawdown in ms, from a peak to the candle that reaches the peak again, or to the end.
 *
 * @param time close times or open times of the candles, one kind for all
 */
export function drawdownLength(time: Float64Array, equity: Float64Array): number {
  let peak = Number.NEGATIVE_INFINITY;
  let peakAt = 0;
  let longest = 0;
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i] as number;
    const at = time[i] as number;
    if (value < peak) {
      longest = Math.max(longest, at - peakAt);
    } else {
      // The drawdown ends here, and its whole length counts.
      if (i > 0 && (equity[i - 1] as number) < peak) longest = Math.max(longest, at - peakAt);
      peak = value;
      peakAt = at;
    }
  }
  return longest;
}
