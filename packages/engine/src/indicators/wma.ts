import { type DecimalWindow, decimalWindow, putOffGrid } from './decimalWindow.ts';

/** State of a linearly weighted mean. */
export interface Wma extends DecimalWindow {
  /** Sum of the weights 1…n. */
  readonly weights: number;
  /** Sum of the window, in units of `1/scale`; `weighted` is the weighted sum. */
  sum: number;
  weighted: number;
}

/** 1.5·2^52, for rounding. V8 reads a literal of the same file faster than an import or a product. */
const TO_WHOLE = 6_755_399_441_055_744;
/** Maximum number of units of an input, 2^34: three times the weighted sum of 512 inputs is exact. */
const MAX_LENGTH = 17_179_869_184;

export function wmaInit(length: number): Wma {
  return { ...decimalWindow(length), weights: (length * (length + 1)) / 2, sum: 0, weighted: 0 };
}

/**
 * Computes the WMA: weights 1…n with n for the newest, divided by n(n+1)/2. The result is the same to the last bit wherever the
 * history began. While the inputs are decimals it takes O(1) and only the division rounds; otherwise it takes O(n). A window of
 * equal inputs gives exactly that input.
 *
 * @returns NaN before index n − 1
 * @see docs/indicators.md#wma
 */
export function wmaNext(wma: Wma, x: number): number {
  if (wmaPut(wma, x)) return wma.weighted / (wma.weights * wma.scale);
  return weightedMean(wma, x);
}

/** Adds an input to the window. @returns whether the sums are valid: not while the inputs have no common decimal grid */
export function wmaPut(wma: Wma, x: number): boolean {
  const { items, at, length, scale, sum } = wma;
  const units = x * scale + TO_WHOLE - TO_WHOLE;
  if (units / scale !== x || Math.abs(units) > MAX_LENGTH) return wmaOffGrid(wma, x);
  wma.weighted += length * units - sum;
  wma.sum = sum + (units - (items[at] as number));
  items[at] = units;
  wma.at = at + 1 === length ? 0 : at + 1;
  return true;
}

function wmaOffGrid(wma: Wma, x: number): boolean {
  if (putOffGrid(wma, x, MAX_LENGTH) === 0) return false;
  const { items, at, length } = wma;
  wma.sum = 0;
  wma.weighted = 0;
  for (let i = 0; i < length; i++) {
    const units = items[(at + i) % length] as number;
    wma.sum += units;
    wma.weighted += (i + 1) * units;
  }
  return true;
}

function weightedMean({ items, at, length, weights }: Wma, newest: number): number {
  let sum = 0;
  for (let i = at; i < length; i++) sum += (i - at + 1) * ((items[i] as number) - newest);
  for (let i = 0; i < at; i++) sum += (i - at + 1 + length) * ((items[i] as number) - newest);
  return newest + sum / weights;
}
