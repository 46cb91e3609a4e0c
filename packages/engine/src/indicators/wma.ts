/** Linearly weighted mean in progress. */
export interface Wma {
  readonly length: number;
  /** The newest inputs as a ring; NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  /** Plain and weighted sum of the window; NaN before the first full one. */
  sum: number;
  weighted: number;
  /** How many of the newest inputs are equal. */
  same: number;
}

export function wmaInit(length: number): Wma {
  return {
    length,
    items: new Array<number>(length).fill(Number.NaN),
    at: 0,
    sum: Number.NaN,
    weighted: Number.NaN,
    same: 0,
  };
}

/**
 * WMA: weights 1…n, the newest n; divided by n(n+1)/2. O(1), no allocation; once per n inputs the sums are made anew, so
 * that rounding does not pile up. A window of equal inputs gives exactly that input.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2
 */
export function wmaNext(wma: Wma, x: number): number {
  const { items, at, length } = wma;
  const same = x === items[at === 0 ? length - 1 : at - 1] ? wma.same + 1 : 1;
  wma.same = same;
  const old = items[at] as number;
  items[at] = x;
  if (at + 1 < length) {
    wma.at = at + 1;
    wma.weighted += length * x - wma.sum;
    wma.sum += x - old;
  } else {
    wma.at = 0;
    sumAnew(wma);
  }
  return same >= length ? x : wma.weighted / ((length * (length + 1)) / 2);
}

/** The ring begins with the oldest input here. */
function sumAnew(wma: Wma): void {
  let sum = 0;
  let weighted = 0;
  for (let i = 0; i < wma.length; i++) {
    const x = wma.items[i] as number;
    sum += x;
    weighted += (i + 1) * x;
  }
  wma.sum = sum;
  wma.weighted = weighted;
}
