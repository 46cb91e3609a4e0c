import { type DecimalWindow, decimalWindow, meanOf, putOffGrid, switchToFloats } from './decimalWindow.ts';

/** State of a population standard deviation. */
export interface StandardDeviation extends DecimalWindow {
  /** Sum of the window, in units of `1/scale`. */
  sum: number;
  /** Variance times n², in squared units: `n·Σu² − (Σu)²`. */
  spread: number;
  /** `length · scale`; `square` is its square. */
  divisor: number;
  square: number;
  /** Mean of the window; NaN before the first full window. */
  mean: number;
}

/** 1.5·2^52, for rounding. V8 reads a literal of the same file faster than an import or a product. */
const TO_WHOLE = 6_755_399_441_055_744;
/** 2^53, below which whole numbers are exact. */
const EXACT = 9_007_199_254_740_992;
/** Maximum number of units of an input, 2^42: sums of 512 inputs and their changes are exact. */
const MAX_LENGTH = 4_398_046_511_104;

export function standardDeviationInit(length: number): StandardDeviation {
  return {
    ...decimalWindow(length),
    sum: Number.NaN,
    spread: Number.NaN,
    divisor: Number.NaN,
    square: Number.NaN,
    mean: Number.NaN,
  };
}

/**
 * Computes the population standard deviation of the last n inputs, the same to the last bit wherever the history began. While the
 * inputs are decimals it takes O(1) and only the last operations round; otherwise it takes O(n). A window of equal inputs gives
 * exactly 0, and exactly the input as mean.
 *
 * @returns NaN before index n − 1; `mean` is the SMA
 * @see docs/indicators.md#standard-deviation
 */
export function standardDeviationNext(deviation: StandardDeviation, x: number): number {
  const { items, length, at, scale, sum: before } = deviation;
  const units = x * scale + TO_WHOLE - TO_WHOLE;
  if (units / scale !== x || Math.abs(units) > MAX_LENGTH) return deviationOffGrid(deviation, x);
  const old = items[at] as number;
  const sum = before + (units - old);
  const spread = deviation.spread + (units - old) * (length * (units + old) - (sum + before));
  const distance = sum - length * units;
  if (spread + distance * distance >= EXACT) return deviationOffGrid(deviation, x);
  items[at] = units;
  deviation.at = at + 1 === length ? 0 : at + 1;
  deviation.sum = sum;
  deviation.spread = spread;
  // The mean is stored last because callers read it next: V8 discards a known field value when another field is written.
  deviation.mean = sum / deviation.divisor;
  return Math.sqrt(spread / deviation.square);
}

function deviationOffGrid(deviation: StandardDeviation, x: number): number {
  const { length, items } = deviation;
  const scale = putOffGrid(deviation, x, MAX_LENGTH);
  if (scale === 0) {
    deviation.mean = meanOf(deviation, x);
    return rootOfSquares(deviation);
  }
  const newest = items[(deviation.at + length - 1) % length] as number;
  let distances = 0;
  let squares = 0;
  for (const units of items) {
    distances += units - newest;
    squares += (units - newest) ** 2;
  }
  deviation.sum = distances + length * newest;
  deviation.divisor = length * scale;
  deviation.square = deviation.divisor ** 2;
  deviation.mean = deviation.sum / deviation.divisor;
  deviation.spread = length * squares - distances ** 2;
  if (length * squares < EXACT && hasExactSquare(deviation.divisor)) {
    return Math.sqrt(deviation.spread / deviation.square);
  }
  switchToFloats(deviation);
  return rootOfSquares(deviation);
}

/** Returns whether the square is exact in float64, so that a variance is the same on every grid. */
function hasExactSquare(whole: number): boolean {
  let odd = whole;
  while (odd % 2 === 0) odd /= 2;
  return odd * odd < EXACT;
}

/** Returns the root of the mean square of distances from the mean, summed from the oldest input to the newest. */
function rootOfSquares({ items, at, length, mean }: StandardDeviation): number {
  let squares = 0;
  for (let i = at; i < length; i++) squares += ((items[i] as number) - mean) ** 2;
  for (let i = 0; i < at; i++) squares += ((items[i] as number) - mean) ** 2;
  return Math.sqrt(squares / length);
}
