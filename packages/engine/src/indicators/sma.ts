import { type DecimalWindow, decimalWindow, enterGrid, meanOf, putOffGrid, switchToFloats } from './decimalWindow.ts';

/** State of the mean of the newest `length` inputs. */
export interface Sma extends DecimalWindow {
  /** Sum of the window, in units of `1/scale`. */
  sum: number;
  /** `length · scale` */
  divisor: number;
}

/** 1.5·2^52, for rounding. V8 reads a literal of the same file faster than an import or a product. */
const TO_WHOLE = 6_755_399_441_055_744;
/** Maximum number of units of an input, 2^42: sums of 512 inputs are exact. */
const MAX_LENGTH = 4_398_046_511_104;

export function smaInit(length: number): Sma {
  return { ...decimalWindow(length), sum: Number.NaN, divisor: Number.NaN };
}

/**
 * Computes the SMA of the last n inputs, the same to the last bit wherever the history began. While the inputs are decimals it
 * takes O(1) and only the division rounds; otherwise it takes O(n). A window of equal inputs gives exactly that input.
 *
 * @returns NaN before index n − 1
 * @see docs/indicators.md#sma
 */
export function smaNext(sma: Sma, x: number): number {
  const { items, at, scale } = sma;
  const units = x * scale + TO_WHOLE - TO_WHOLE;
  if (units / scale !== x || Math.abs(units) > MAX_LENGTH) return smaOffGrid(sma, x);
  const sum = sma.sum + (units - (items[at] as number));
  items[at] = units;
  sma.at = at + 1 === sma.length ? 0 : at + 1;
  sma.sum = sum;
  return sum / sma.divisor;
}

function smaOffGrid(sma: Sma, x: number): number {
  if (putOffGrid(sma, x, MAX_LENGTH) === 0) return meanOf(sma, x);
  addUp(sma);
  return sma.sum / sma.divisor;
}

/** Changes to the coarsest grid of the window, since an input before the window may have required a finer one. */
export function smaCoarsen(sma: Sma): void {
  switchToFloats(sma);
  enterGrid(sma, MAX_LENGTH);
  addUp(sma);
}

function addUp(sma: Sma): void {
  let sum = 0;
  for (const units of sma.items) sum += units;
  sma.sum = sum;
  sma.divisor = sma.length * sma.scale;
}
