/** Sum of the newest `length` inputs in progress. */
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
  /** Newest input, and how many of the newest inputs equal it. */
  last: number;
  same: number;
}

export function rollingSumInit(length: number): RollingSum {
  return {
    length,
    items: new Array<number>(length).fill(0),
    at: 0,
    seen: 0,
    sum: 0,
    rest: 0,
    last: Number.NaN,
    same: 0,
  };
}

/**
 * Sum of the last n inputs. O(1), no allocation. The sum is carried in two numbers, so that nothing of an input is left
 * when it leaves the window, however large it was; a window of equal inputs gives exactly n times the input.
 *
 * @returns NaN before the first full window
 */
export function rollingSumNext(rolling: RollingSum, x: number): number {
  push(rolling, x);
  if (rolling.seen < rolling.length) return Number.NaN;
  return rolling.same >= rolling.length ? x * rolling.length : rolling.sum + rolling.rest;
}

/** Mean of the last n inputs, in the same way. @returns NaN before the first full window */
export function rollingMeanNext(rolling: RollingSum, x: number): number {
  push(rolling, x);
  if (rolling.seen < rolling.length) return Number.NaN;
  return rolling.same >= rolling.length ? x : (rolling.sum + rolling.rest) / rolling.length;
}

function push(rolling: RollingSum, x: number): void {
  const { items, at, length } = rolling;
  const old = items[at] as number;
  items[at] = x;
  rolling.at = at + 1 === length ? 0 : at + 1;
  if (rolling.seen < length) rolling.seen += 1;
  rolling.same = x === rolling.last ? rolling.same + 1 : 1;
  rolling.last = x;
  // Knuth's two-sum, twice: the rounding error of each addition is found exactly and kept.
  const before = rolling.sum;
  const added = before + x;
  const part = added - before;
  const sum = added - old;
  const gone = sum - added;
  rolling.rest += before - (added - part) + (x - part) + (added - (sum - gone)) - (old + gone);
  rolling.sum = sum;
}
