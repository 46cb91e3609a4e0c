/** Exponential mean in progress. `value` is NaN until `length` inputs were seen. */
export interface Ema {
  readonly length: number;
  /** Of the newest input. Kept here because a division per input would cost more than all the rest. */
  readonly weight: number;
  seen: number;
  /** Sum of the inputs of the first window, then unused. */
  sum: number;
  value: number;
}

/** EMA: weight `2/(n+1)`. @see docs/indicators.md#ema-and-rma */
export function emaInit(length: number): Ema {
  return { length, weight: 2 / (length + 1), seen: 0, sum: 0, value: Number.NaN };
}

/** Wilder's mean (RMA): weight `1/n`. @see docs/indicators.md#ema-and-rma */
export function rmaInit(length: number): Ema {
  return { length, weight: 1 / length, seen: 0, sum: 0, value: Number.NaN };
}

/**
 * EMA or RMA: the first value is the mean of the first `length` inputs, then `e += weight·(x − e)`. O(1), no allocation.
 *
 * @returns the newest value, NaN before the first full window
 * @see docs/indicators.md#ema-and-rma
 */
export function emaNext(ema: Ema, x: number): number {
  if (ema.seen === ema.length) {
    const value = ema.value + ema.weight * (x - ema.value);
    ema.value = value;
    return value;
  }
  ema.seen += 1;
  ema.sum += x;
  if (ema.seen === ema.length) ema.value = ema.sum / ema.length;
  return ema.value;
}

/** A copy to count on with. A loop over a copy that nobody else sees keeps its numbers in registers. */
export function emaCopy({ length, weight, seen, sum, value }: Ema): Ema {
  return { length, weight, seen, sum, value };
}

/** Takes over how far a copy has counted. */
export function emaKeep(ema: Ema, { seen, sum, value }: Ema): void {
  ema.seen = seen;
  ema.sum = sum;
  ema.value = value;
}
