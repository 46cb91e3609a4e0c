/** Sum of the newest `length` inputs in progress, for inputs of very different sizes. */
export interface RollingSum {
  readonly length: number;
  /** The newest inputs as a ring; zeros before the first full window. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  seen: number;
  sum: number;
  /** What rounding took from `sum`. */
  rest: number;
  /** How many of the newest inputs are equal. */
  same: number;
}

export function rollingSumInit(length: number): RollingSum {
  return { length, items: new Array<number>(length).fill(0), at: 0, seen: 0, sum: 0, rest: 0, same: 0 };
}

/**
 * Sum of the last n inputs. O(1), no allocation. The sum is carried in two numbers, so that nothing of an input is left
 * when it leaves the window, however large it was; a window of equal inputs gives exactly n times the input.
 *
 * @returns NaN before the first full window
 */
export function rollingSumNext(rolling: RollingSum, x: number): number {
  const { items, at, length } = rolling;
  rolling.same = x === items[at === 0 ? length - 1 : at - 1] ? rolling.same + 1 : 1;
  const old = items[at] as number;
  items[at] = x;
  rolling.at = at + 1 === length ? 0 : at + 1;
  // Knuth's two-sum, twice: the rounding error of each addition is found exactly and kept.
  const before = rolling.sum;
  const added = before + x;
  const part = added - before;
  const sum = added - old;
  const gone = sum - added;
  rolling.rest += before - (added - part) + (x - part) + (added - (sum - gone)) - (old + gone);
  rolling.sum = sum;
  if (rolling.seen < length) {
    rolling.seen += 1;
    if (rolling.seen < length) return Number.NaN;
  }
  return rolling.same >= length ? x * length : sum + rolling.rest;
}
