/**
 * The newest `length` inputs in a ring, and the decimal grid on which they lie. Prices are decimals, so sums of them in
 * units of `1/scale` are exact: they depend on nothing outside the window, and a tie stays a tie.
 */
export interface DecimalWindow {
  readonly length: number;
  /** In units of `1/scale`; the inputs as they came while `scale` is 0, and NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  /** Units in 1, a power of ten; 0 while the inputs have no grid in common. */
  scale: number;
  /** How many more inputs it takes until none in the window lies off every grid. */
  untilExact: number;
}

/** 1.5·2^52: added and subtracted again, it rounds a number below 2^51 to a whole one. */
const TO_WHOLE = 6_755_399_441_055_744;

/** A price has at most eight decimals. */
const FINEST = 1e8;
/** {@link TO_WHOLE} rounds below this. */
const WHOLE = 2 ** 51;

export function decimalWindow(length: number): DecimalWindow {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0, scale: 0, untilExact: length };
}

/**
 * Puts an input into the window that is not on its grid, and finds the coarsest grid of all inputs, which is the same
 * whatever came before the window.
 *
 * @param most how many units an input may have, at most 2^51
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

/** Finds the coarsest grid of a window that has left its grid, as {@link putOffGrid} does. */
export function enterGrid(window: DecimalWindow, most: number): number {
  const { items } = window;
  const scale = coarsestScale(items, most);
  if (scale > 0) for (const [index, item] of items.entries()) items[index] = unitsOf(item, scale);
  window.scale = scale;
  return scale;
}

/** Turns the items back into the inputs as they came. */
export function switchToFloats(window: DecimalWindow): void {
  const { items, scale } = window;
  if (scale > 0) for (const [index, units] of items.entries()) items[index] = units / scale;
  window.scale = 0;
}

/** Mean of a window without a grid, from the oldest input to the newest. NaN before the first full window. */
export function meanOf({ items, at, length }: DecimalWindow, newest: number): number {
  // By distances from the newest: a window of equal inputs gives exactly that input.
  let sum = 0;
  for (let i = at; i < length; i++) sum += (items[i] as number) - newest;
  for (let i = 0; i < at; i++) sum += (items[i] as number) - newest;
  return newest + sum / length;
}

/**
 * The decimal that a sum of a few decimals stands for: float64 may hold a neighbour of it. A number that is none, or has
 * more than eight decimals, stays as it is.
 */
export function decimalOf(sum: number): number {
  const decimal = unitsOf(sum, FINEST) / FINEST;
  // A few roundings, of at most half of 2^-52 each.
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
  let greatest = 0;
  for (const x of items) {
    while (unitsOf(x, scale) / scale !== x) {
      if (scale === FINEST) return 0;
      scale *= 10;
    }
    greatest = Math.max(greatest, Math.abs(x));
  }
  return unitsOf(greatest, scale) <= most ? scale : 0;
}
