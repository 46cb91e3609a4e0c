/** State of an exponential mean. `value` is NaN before `length` inputs. */
export interface Ema {
  readonly length: number;
  /** Weight of the newest input. It is stored because a division per input would cost more than all other operations. */
  readonly weight: number;
  seen: number;
  /** Sum of the inputs of the first window, then unused. */
  sum: number;
  value: number;
}

/** Creates an EMA with weight `2/(n+1)`. @see docs/indicators.md#ema-and-rma */
export function emaInit(length: number): Ema {
  return { length, weight: 2 / (length + 1), seen: 0, sum: 0, value: Number.NaN };
}

/** Creates Wilder's mean (RMA) with weight `1/n`. @see docs/indicators.md#ema-and-rma */
export function rmaInit(length: number): Ema {
  return { length, weight: 1 / length, seen: 0, sum: 0, value: Number.NaN };
}

/**
 * Computes EMA or RMA: the first value is the mean of the first `length` inputs, then `e += weight·(x − e)`. O(1), no allocation.
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

/** Copies the state for a loop. V8 keeps the numbers of a copy without other references in registers. */
export function emaCopy({ length, weight, seen, sum, value }: Ema): Ema {
  return { length, weight, seen, sum, value };
}

/** Stores the state of a copy back. */
export function emaKeep(ema: Ema, { seen, sum, value }: Ema): void {
  ema.seen = seen;
  ema.sum = sum;
  ema.value = value;
}
