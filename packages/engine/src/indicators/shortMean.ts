/** State of the mean of a few newest inputs. */
export interface ShortMean {
  readonly length: number;
  /** Ring buffer of the newest inputs; NaN where there was no input yet. */
  items: number[];
  /** Index of the next input, which is that of the oldest one. */
  at: number;
}

export function shortMeanInit(length: number): ShortMean {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0 };
}

/**
 * Computes the SMA of a few inputs by summing from the oldest to the newest. This takes O(n), but the result is the same to the
 * last bit wherever the history began. Use it for means that are compared while they stay at a bound, where one bit matters.
 *
 * @returns NaN before index n − 1
 * @see docs/indicators.md#sma
 */
export function shortMeanNext(mean: ShortMean, x: number): number {
  const { items, length } = mean;
  items[mean.at] = x;
  const oldest = mean.at + 1 === length ? 0 : mean.at + 1;
  mean.at = oldest;
  let sum = 0;
  for (let i = oldest; i < length; i++) sum += items[i] as number;
  for (let i = 0; i < oldest; i++) sum += items[i] as number;
  return sum / length;
}
