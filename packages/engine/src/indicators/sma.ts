/** Mean of the newest `length` inputs in progress. */
export interface Sma {
  readonly length: number;
  /** The newest inputs as a ring; NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  /** NaN before the first full window. */
  sum: number;
  /** Sum of the inputs since the ring began anew: of all of them when it is full. */
  fresh: number;
  /** How many of the newest inputs are equal. */
  same: number;
}

export function smaInit(length: number): Sma {
  return { length, items: new Array<number>(length).fill(Number.NaN), at: 0, sum: Number.NaN, fresh: 0, same: 0 };
}

/**
 * SMA: mean of the last n inputs. O(1), no allocation: the sum follows the window and is taken anew once per n inputs, so
 * that rounding does not pile up. A window of equal inputs gives exactly that input.
 *
 * @returns NaN before index n − 1
 * @see strategies.md 2
 */
export function smaNext(sma: Sma, x: number): number {
  const { items, length, at } = sma;
  const newest = items[at === 0 ? length - 1 : at - 1];
  let sum = sma.sum + (x - (items[at] as number));
  items[at] = x;
  const fresh = sma.fresh + x;
  if (at + 1 < length) {
    sma.at = at + 1;
    sma.fresh = fresh;
  } else {
    sma.at = 0;
    sma.fresh = 0;
    sum = fresh;
  }
  sma.sum = sum;
  if (x !== newest) {
    sma.same = 1;
    return sum / length;
  }
  sma.same += 1;
  return sma.same >= length ? x : sum / length;
}
