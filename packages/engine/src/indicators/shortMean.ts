/** Mean of the newest few inputs in progress. */
export interface ShortMean {
  readonly length: number;
  /** The newest inputs as a ring; NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
}

export function shortMeanInit(length: number): ShortMean {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0 };
}

/**
 * SMA of few inputs, summed anew from the oldest to the newest: O(n), but the same to the last bit wherever the history
 * began. For means that are compared with each other while they rest at a bound, where a bit decides.
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
