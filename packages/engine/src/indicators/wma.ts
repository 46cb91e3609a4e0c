/** Linearly weighted mean in progress. */
export interface Wma {
  readonly length: number;
  /** The newest inputs as a ring; zeros before the first full window. */
  items: number[];
  at: number;
  seen: number;
  /** Plain and weighted sum of the window. */
  sum: number;
  weighted: number;
  last: number;
  same: number;
}

export function wmaInit(length: number): Wma {
  return {
    length,
    items: new Array<number>(length).fill(0),
    at: 0,
    seen: 0,
    sum: 0,
    weighted: 0,
    last: Number.NaN,
    same: 0,
  };
}

/**
 * WMA: weights 1…n, the newest n; divided by n(n+1)/2. O(1), no allocation; once per n inputs the sums are made anew, so
 * that rounding does not pile up.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2
 */
export function wmaNext(wma: Wma, x: number): number {
  const { items, at, length } = wma;
  wma.weighted += length * x - wma.sum;
  wma.sum += x - (items[at] as number);
  items[at] = x;
  wma.at = at + 1 === length ? 0 : at + 1;
  wma.same = x === wma.last ? wma.same + 1 : 1;
  wma.last = x;
  if (wma.at === 0) sumAnew(wma);
  if (wma.seen < length) wma.seen += 1;
  if (wma.seen < length) return Number.NaN;
  return wma.same >= length ? x : wma.weighted / ((length * (length + 1)) / 2);
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
