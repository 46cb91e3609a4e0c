/** Exponential mean in progress. `value` is NaN until `length` inputs were seen. */
export interface Ema {
  readonly length: number;
  seen: number;
  /** Sum of the inputs of the first window, then unused. */
  sum: number;
  value: number;
}

export function emaInit(length: number): Ema {
  return { length, seen: 0, sum: 0, value: Number.NaN };
}

/**
 * EMA: the first value is the mean of the first `length` inputs, then `e += 2/(n+1)·(x − e)`. O(1), no allocation.
 *
 * @returns the newest value, NaN before the first full window
 * @see strategies.md 2
 */
export function emaNext(ema: Ema, x: number): number {
  return smooth(ema, x, 2 / (ema.length + 1));
}

/** Wilder's mean (RMA): as EMA with 1/n. @see strategies.md 2 */
export function rmaNext(rma: Ema, x: number): number {
  return smooth(rma, x, 1 / rma.length);
}

function smooth(ema: Ema, x: number, weight: number): number {
  if (ema.seen >= ema.length) {
    ema.value += weight * (x - ema.value);
    return ema.value;
  }
  ema.seen += 1;
  ema.sum += x;
  if (ema.seen === ema.length) ema.value = ema.sum / ema.length;
  return ema.value;
}
