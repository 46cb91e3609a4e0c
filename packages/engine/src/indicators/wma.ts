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
  /** The same of the inputs since the ring began anew: of all of them when it is full. */
  freshSum: number;
  freshWeighted: number;
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
    freshSum: 0,
    freshWeighted: 0,
    same: 0,
  };
}

/**
 * WMA: weights 1…n, the newest n; divided by n(n+1)/2. O(1), no allocation; once per n inputs the sums are taken anew, so
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
  let weighted = wma.weighted + (length * x - wma.sum);
  let sum = wma.sum + (x - old);
  const freshSum = wma.freshSum + x;
  const freshWeighted = wma.freshWeighted + (at + 1) * x;
  if (at + 1 < length) {
    wma.at = at + 1;
    wma.freshSum = freshSum;
    wma.freshWeighted = freshWeighted;
  } else {
    wma.at = 0;
    wma.freshSum = 0;
    wma.freshWeighted = 0;
    sum = freshSum;
    weighted = freshWeighted;
  }
  wma.sum = sum;
  wma.weighted = weighted;
  return same >= length ? x : weighted / ((length * (length + 1)) / 2);
}
