/**
 * Ring buffer of the newest `length` inputs, with their decimal grid. Prices are decimals, so their sums in units of `1/scale`
 * are exact. The sums depend only on the window, and equal values stay equal.
 */
export interface DecimalWindow {
  readonly length: number;
  /** Inputs in units of `1/scale`, or the original inputs while `scale` is 0; NaN where there was no input yet. */
  items: number[];
  /** Index of the next input, which is that of the oldest one. */
  at: number;
  /** Number of units in 1, a power of ten; 0 while the inputs have no common grid. */
  scale: number;
  /** Number of further inputs until every input in the window is a decimal. */
  untilExact: number;
}

/** 1.5·2^52: adding and subtracting it rounds a number below 2^51 to a whole one. */
const TO_WHOLE = 6_755_399_441_055_744;

/** A price has at most eight decimals. */
const FINEST = 1e8;
/** Limit below which {@link TO_WHOLE} rounds correctly. */
const WHOLE = 2 ** 51;

export function decimalWindow(length: number): DecimalWindow {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0, scale: 0, untilExact: length };
}

/**
 * Adds an input that is not on the grid of the window, and finds the coarsest grid of all inputs. That grid does not depend on
 * inputs before the window.
 *
 * @param most maximum number of units of an input, at most 2^51
 * @returns the new `scale`; 0 when there is none
 */
export function putOffGrid(window: DecimalWindow, x: number, most: number): number {
  const { items, length, at } = window;
  switchToFloats(window);
  items[at] = x;
  window.at = at + 1 === length ? 0 : at + 1;
  window.untilExact = isDecimal(x) ? Math.max(0, window.untilExact - 1) : length;
  return window.untilExact > 0 ? 0 : enterGrid(window, most);
}

/** Finds the coarsest grid of a window without a grid, as {@link putOffGrid} does. */
export function enterGrid(window: DecimalWindow, most: number): number {
  const { items } = window;
  const scale = coarsestScale(items, most);
  if (scale > 0) for (const [index, item] of items.entries()) items[index] = unitsOf(item, scale);
  window.scale = scale;
  return scale;
}

/** Converts the items back to the original inputs. */
export function switchToFloats(window: DecimalWindow): void {
  const { items, scale } = window;
  if (scale > 0) for (const [index, units] of items.entries()) items[index] = units / scale;
  window.scale = 0;
}

/** Returns the mean of a window without a grid, summed from the oldest input to the newest. NaN before the first full window. */
export function meanOf({ items, at, length }: DecimalWindow, newest: number): number {
  // Summing distances from the newest input makes a window of equal inputs give exactly that input.
  let sum = 0;
  for (let i = at; i < length; i++) sum += (items[i] as number) - newest;
  for (let i = 0; i < at; i++) sum += (items[i] as number) - newest;
  return newest + sum / length;
}

/**
 * Returns the exact decimal of a sum of a few decimals, which rounding errors may have changed. A number that is no decimal, or
 * has more than eight decimals, is returned unchanged.
 */
export function decimalOf(sum: number): number {
  const decimal = unitsOf(sum, FINEST) / FINEST;
  // The tolerance covers a few roundings of at most half of 2^-52 each.
  return Math.abs(decimal - sum) <= Math.abs(sum) * 2 ** -50 && Math.abs(sum) < WHOLE / FINEST ? decimal : sum;
}

function unitsOf(x: number, scale: number): number {
  return x * scale + TO_WHOLE - TO_WHOLE;
}

function isDecimal(x: number): boolean {
  for (let scale = FINEST; scale >= 1; scale /= 10) {
    if (Math.abs(x) * scale < WHOLE) return unitsOf(x, scale) / scale === x;
  }
  return false;
}

function coarsestScale(items: readonly number[], most: number): number {
  let scale = 1;
  let largest = 0;
  for (const x of items) {
    while (unitsOf(x, scale) / scale !== x) {
      if (scale === FINEST) return 0;
      scale *= 10;
    }
    largest = Math.max(largest, Math.abs(x));
  }
  return unitsOf(largest, scale) <= most ? scale : 0;
}
