/** Population standard deviation in progress. */
export interface StandardDeviation {
  readonly length: number;
  /** The newest inputs as a ring; NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  /** How many of the newest inputs are equal. */
  same: number;
  /** Of the window; NaN before the first full one. */
  mean: number;
  /** Sum of the squared distances from the mean, and its greatest value since it was summed anew. */
  squares: number;
  peak: number;
}

/** Rounding of large squares must not show in small ones: below this part of the peak they are summed anew. */
const SMALL = 1e-4;

export function standardDeviationInit(length: number): StandardDeviation {
  return {
    length,
    items: new Array<number>(length).fill(Number.NaN),
    at: 0,
    same: 0,
    mean: Number.NaN,
    squares: Number.NaN,
    peak: Number.NaN,
  };
}

/**
 * SD: population standard deviation of the last n inputs. O(1) on average, no allocation: mean and squares follow the window
 * and are made anew once per n inputs and when the squares fall far. A window of equal inputs gives exactly 0.
 *
 * @returns NaN before index n − 1; `mean` is the SMA
 * @see strategies.md 2
 */
export function standardDeviationNext(deviation: StandardDeviation, x: number): number {
  const { items, length, at, mean: before } = deviation;
  const same = x === items[at === 0 ? length - 1 : at - 1] ? deviation.same + 1 : 1;
  deviation.same = same;
  const old = items[at] as number;
  items[at] = x;
  const mean = before + (x - old) / length;
  const squares = deviation.squares + (x - old) * (x - mean + (old - before));
  if (at + 1 < length && same < length && !(squares <= deviation.peak * SMALL)) {
    deviation.at = at + 1;
    deviation.mean = mean;
    deviation.squares = squares;
    if (squares > deviation.peak) deviation.peak = squares;
    return Math.sqrt(squares / length);
  }
  deviation.at = at + 1 === length ? 0 : at + 1;
  sumAnew(deviation);
  if (same >= length) {
    deviation.mean = x;
    deviation.squares = 0;
  }
  deviation.peak = deviation.squares;
  return Math.sqrt(deviation.squares / length);
}

function sumAnew(deviation: StandardDeviation): void {
  const { items, length } = deviation;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += items[i] as number;
  const mean = sum / length;
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const distance = (items[i] as number) - mean;
    squares += distance * distance;
  }
  deviation.mean = mean;
  deviation.squares = squares;
}
