/** Population standard deviation in progress. */
export interface StandardDeviation {
  readonly length: number;
  /** `1/length`: a multiplication is much faster than a division. */
  readonly share: number;
  /** The newest inputs as a ring; NaN where there was none yet. */
  items: number[];
  /** Where the next input goes: the place of the oldest one. */
  at: number;
  /** Of the window; NaN before the first full one. */
  mean: number;
  /** Sum of the squared distances from the mean, and by how much in all it changed since it was summed anew. */
  squares: number;
  moved: number;
}

/** Rounding of large squares must not show in small ones: below this part of what moved they are summed anew. */
const SMALL = 1e-4;

export function standardDeviationInit(length: number): StandardDeviation {
  return {
    length,
    share: 1 / length,
    items: new Array<number>(length).fill(Number.NaN),
    at: 0,
    mean: Number.NaN,
    squares: Number.NaN,
    moved: Number.NaN,
  };
}

/**
 * SD: population standard deviation of the last n inputs. O(1) on average, no allocation: mean and squares follow the window
 * and are made anew once per n inputs and when the squares fall far. A window of equal inputs gives exactly 0, and exactly
 * the input as mean.
 *
 * @returns NaN before index n − 1; `mean` is the SMA
 * @see strategies.md 2
 */
export function standardDeviationNext(deviation: StandardDeviation, x: number): number {
  const { items, length, share, at, mean: before } = deviation;
  const old = items[at] as number;
  items[at] = x;
  const step = x - old;
  let mean = before + step * share;
  const change = step * (x - mean + (old - before));
  let squares = deviation.squares + change;
  let moved = deviation.moved + Math.abs(change);
  const next = at + 1 === length ? 0 : at + 1;
  if (next === 0 || squares < moved * SMALL) {
    // Distances from one of the inputs: no larger than the deviation allows, and all 0 when the inputs are equal. Not a
    // function of its own: a call in here would cost the loop around it what it knows of its objects.
    let sum = 0;
    let sumOfSquares = 0;
    for (let i = 0; i < length; i++) {
      const distance = (items[i] as number) - x;
      sum += distance;
      sumOfSquares += distance * distance;
    }
    const shift = sum * share;
    mean = x + shift;
    squares = sumOfSquares - sum * shift;
    moved = squares;
  }
  deviation.at = next;
  deviation.squares = squares;
  deviation.moved = moved;
  // Last, because it is read next: V8 forgets what a field holds as soon as another one is given a number.
  deviation.mean = mean;
  return Math.sqrt(squares * share);
}
